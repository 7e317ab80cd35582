import Fixtures
import PKIX
import Testing

/// The list of an organization's own CA bites at once, on live connections too.
struct ExternalRevocationTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  @Test func `an uploaded list ends live connections, and devices that it names are told so`() throws {
    let tenant = try server.makeTenant(authority: false)
    let own = try ExternalCA(try TestAuthority.root("Own CA"), of: tenant)
    let (kept, lost, late) = (try own.device("kept"), try own.device("lost"), try own.device("late"))
    for device in [kept, lost] { #expect(try device.claim(tenant.product).status == 201) }
    let connection = try LiveConnection(lost)
    #expect(try connection.get("/v1/identity").contains("200 OK"))

    var list = TestRevocationList()
    list.entries = try [lost, late].map {
      .init(
        serialNumber: try #require(SerialNumber(hexadecimal: $0.serialNumber)), revokedAt: TestClock.now - 60,
        reason: .certificateHold)
    }
    // Longer than any other body may be.
    list.entries += (0..<5000).map {
      .init(
        serialNumber: SerialNumber(bytes: [0x60, UInt8($0 / 250), UInt8($0 % 250 + 1)]),
        revokedAt: TestClock.now)
    }
    #expect(try own.upload(list).status == 200)
    #expect(connection.endsWithin(seconds: 5), "an idle connection of a revoked certificate is closed")
    for device in [lost, late] {
      let refused = try device.check(tenant.product)
      #expect(refused.status == 410 && refused.text("code") == "certificate-revoked", "\(refused)")
    }
    #expect(try kept.check(tenant.product).status == 200)

    var next = TestRevocationList()
    next.number = [2]
    #expect(try own.upload(next).status == 200)
    #expect(try lost.check(tenant.product).status == 200, "what was on hold is good again")
    #expect(try own.upload(list).text("code") == "crl-invalid", "an older list")
  }
}
