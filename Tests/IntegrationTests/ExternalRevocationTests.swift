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

  @Test func `who may not upload a list is told so before it is read, and takes no place from those who may`()
    throws
  {
    let tenant = try server.makeTenant(authority: false)
    let own = try ExternalCA(.root(), of: tenant)
    let other = try ExternalCA(.root(), of: server.makeTenant(authority: false))
    let managed = try server.makeTenant()
    let path = tenant.path + "/authorities/\(own.id)/crl"
    let viewer = try server.call("POST", tenant.path + "/tokens", #"{"name": "v", "role": "viewer"}"#).text(
      "token")
    let stranger = try server.call(
      "POST", other.tenant.path + "/tokens", #"{"name": "a", "role": "admin"}"#
    ).text("token")
    // More than there are places, none of which ever sends its body; they are kept open.
    var waiting: [LiveConnection] = []
    for (token, status) in [("nonsense", 401), (viewer, 403), (stranger, 404)] {
      for _ in 0..<3 {
        let connection = try LiveConnection(to: server.admin, of: server)
        try connection.send(
          Array(
            "PUT \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\nContent-Length: 9000000\r\n\r\n"
              .utf8))
        let answer = connection.received()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        #expect(answer.lowercased().contains("connection: close"), "\(answer)")
        waiting.append(connection)
      }
    }
    var list = TestRevocationList()
    list.entries = (0..<5000).map {
      .init(
        serialNumber: SerialNumber(bytes: [0x60, UInt8($0 / 250), UInt8($0 % 250 + 1)]),
        revokedAt: TestClock.now)
    }
    #expect(try own.upload(list).status == 200)
    #expect(try other.upload(list).status == 200)
    // Not an external authority: nothing of the body is wanted either.
    let id = try Publication(of: managed).authority
    let refused = try server.curl([
      "-X", "PUT", "-H", "Authorization: Bearer \(server.operatorToken)", "--data-binary",
      "@" + server.folder.write(String(repeating: "x", count: 100_000), to: "long.crl"),
      server.admin + managed.path + "/authorities/\(id)/crl",
    ])
    #expect(refused.status == 422 && refused.text("code") == "crl-invalid", "\(refused)")
    withExtendedLifetime(waiting) {}
  }
}
