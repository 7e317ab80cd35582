import Fixtures
import Foundation
import PKIX
import Testing

/// Root R of one organization, intermediate I under R of another, over real TLS and through the API (design invariant 5).
struct TrustAcrossOrganizationsTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  enum End: CaseIterable { case revoked, deleted, organizationDeleted }

  @Test(arguments: End.allCases, [false, true])
  func `ending an intermediate of B never lets its devices into A above it`(
    _ end: End, _ isRootFirst: Bool
  ) throws {
    let (a, b) = (try server.makeTenant(authority: false), try server.makeTenant(authority: false))
    let root = try TestAuthority.root("Root of A")
    let middle = try root.intermediate("Intermediate of B")
    let first = isRootFirst ? try ExternalCA(root, of: a) : try ExternalCA(middle, of: b)
    let second = isRootFirst ? try ExternalCA(middle, of: b) : try ExternalCA(root, of: a)
    let (above, below) = isRootFirst ? (first, second) : (second, first)

    let late = try below.device("late")
    let device = try below.device("laptop")
    // With the whole chain, so that A's root is in reach.
    let chain = try String(contentsOfFile: device.certificate, encoding: .utf8) + middle.certificate.pem
    try chain.write(toFile: device.certificate, atomically: true, encoding: .utf8)
    let before = try device.call("GET", "/v1/identity")
    #expect(before.status == 200 && before.text("organization") == b.slug, "\(before)")
    let own = try above.device("own")
    #expect(try own.call("GET", "/v1/identity").text("organization") == a.slug)

    let ended =
      switch end {
      case .revoked:
        try server.call("PATCH", "\(b.path)/authorities/\(below.id)", #"{"status": "revoked"}"#)
      case .deleted: try delete(below)
      case .organizationDeleted: try server.call("DELETE", b.path)
      }
    #expect(ended.status < 300, "\(ended)")
    for device in [device, late] {
      let after = try device.call("GET", "/v1/identity")
      if end == .organizationDeleted {
        #expect(after.failure != nil, "\(after)")
      } else {
        #expect(after.status == 410 && after.text("code") == "authority-revoked", "\(after)")
      }
    }
    // A server that starts afterwards knows it too.
    let other = try FurtherServer(of: server)
    let fresh = try other.call(device, "GET", "/v1/identity")
    #expect(end == .organizationDeleted ? fresh.failure != nil : fresh.status == 410, "\(fresh)")
    let still = try other.call(own, "GET", "/v1/identity")
    #expect(still.text("organization") == a.slug, "\(still)")
    #expect(!(try server.call("GET", a.path + "/identities").body.contains("laptop")))
  }

  /// An authority with live certificates is not deleted: they are revoked first.
  private func delete(_ ca: ExternalCA) throws -> Answer {
    for identity in ["urn:device:laptop"] {
      let listed = try server.call("GET", "\(ca.tenant.path)/identities/\(identity)/certificates")
      for certificate in listed["data"] as? [[String: Any]] ?? [] {
        let fingerprint = certificate["fingerprint"] as? String ?? ""
        _ = try server.call("POST", "\(ca.tenant.path)/certificates/\(fingerprint)/revoke", "{}")
      }
    }
    return try server.call("DELETE", "\(ca.tenant.path)/authorities/\(ca.id)")
  }

  @Test func `whoever registers another's CA and takes it back unproven refuses nobody`() throws {
    let (a, b) = (try server.makeTenant(authority: false), try server.makeTenant(authority: false))
    let root = try TestAuthority.root()
    let device = try ExternalCA(root, of: a).device("laptop")
    #expect(try device.call("GET", "/v1/identity").text("organization") == a.slug)
    let claimed = try ExternalCA(root, of: b, isProven: false)
    #expect(try server.call("DELETE", "\(b.path)/authorities/\(claimed.id)").status == 204)
    #expect(try device.call("GET", "/v1/identity").text("organization") == a.slug)
    let other = try FurtherServer(of: server)
    #expect(try other.call(device, "GET", "/v1/identity").text("organization") == a.slug)
  }

  @Test func `with alerts instead of problems a known refusal is an alert`() throws {
    let other = try FurtherServer(of: server, settings: ["refusals": "alert"])
    let tenant = try server.makeTenant(authority: false)
    let ca = try ExternalCA(.root(), of: tenant)
    let late = try ca.device("late") {
      $0.notBefore = TestClock.now - 7200
      $0.notAfter = TestClock.now - 60
    }
    let revoked = try ca.device("revoked")
    func told(_ device: Device) throws -> SessionVisit {
      try SessionVisit(device, to: other.device, of: server)
    }
    #expect(try told(late).alert == "45")
    #expect(try told(revoked).status == 200)
    #expect(
      try server.call("POST", "\(tenant.path)/certificates/\(revoked.serialNumber)/revoke", "{}").status < 300
    )
    // The other server hears of it by itself.
    while try told(revoked).status == 200 {}
    #expect(try told(revoked).alert == "44")
  }
}
