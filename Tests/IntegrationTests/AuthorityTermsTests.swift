import Fixtures
import Foundation
import PKIX
import Testing

/// What an organization says of its own CA.
struct AuthorityTermsTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  @Test func `certificates that state no purpose are refused unless the authority allows them`() throws {
    let tenant = try server.makeTenant(authority: false)
    let own = try ExternalCA(.root(), of: tenant)
    let path = tenant.path + "/authorities/\(own.id)"
    let silent = try own.device("silent") { $0.extendedKeyUsage = nil }
    let others = try [[.serverAuth], []].enumerated().map { index, usages in
      try own.device("other-\(index)") { $0.extendedKeyUsage = usages }
    }
    func set(_ isAllowed: Bool) throws {
      let answer = try server.call("PATCH", path, #"{"allowMissingClientAuth": \#(isAllowed)}"#)
      #expect(answer.status == 200 && answer["allowMissingClientAuth"] as? Bool == isAllowed, "\(answer)")
    }
    #expect(try server.call("GET", path)["allowMissingClientAuth"] as? Bool == false)
    #expect(try silent.call("GET", "/v1/identity").failure != nil)

    try set(true)
    let connection = try LiveConnection(silent)
    #expect(try connection.get("/v1/identity").hasPrefix("HTTP/1.1 200"))
    for device in others { #expect(try device.call("GET", "/v1/identity").failure != nil) }

    try set(false)
    #expect(connection.endsWithin(seconds: 5))
    #expect(try silent.call("GET", "/v1/identity").failure != nil)
    let managed = try server.call(
      "POST", tenant.path + "/authorities", #"{"kind": "managed", "allowMissingClientAuth": true}"#)
    #expect(managed.status == 422 && managed.body.contains("/allowMissingClientAuth"), "\(managed)")
  }

  @Test func `an intermediate that does not lead to the anchor is named`() throws {
    let tenant = try server.makeTenant(authority: false)
    let root = try TestAuthority.root("Own Root")
    let upper = try root.intermediate("Upper")
    let lower = try upper.intermediate("Lower")
    let early = try root.intermediate("Early") { $0.notBefore = TestClock.now + 3600 }
    let expired = try root.intermediate("Expired") { $0.notAfter = TestClock.now - 60 }
    let stranger = try TestAuthority.root("Own Root").intermediate("Stranger")
    let leaf = try root.leaf("no CA")
    func register(_ intermediates: [String]) throws -> Answer {
      try server.call(
        "POST", tenant.path + "/authorities",
        ExternalCA.json([
          "kind": "external", "certificate": root.certificate.pem, "intermediates": intermediates,
        ]))
    }
    let good = [lower, upper, early, root].map(\.certificate.pem)
    for bad in [expired.certificate, stranger.certificate, leaf.certificate] {
      let answer = try register([good[1], bad.pem])
      #expect(answer.status == 422 && answer.body.contains(#""/intermediates/1""#), "\(answer)")
    }
    let alone = try register([good[0]])
    #expect(alone.status == 422 && alone.body.contains(#""/intermediates/0""#), "\(alone)")
    let made = try register(good)
    #expect(made.status == 201, "\(made)")
    let path = tenant.path + "/authorities/" + made.text("id")
    let changed = try server.call(
      "PATCH", path, ExternalCA.json(["intermediates": [stranger.certificate.pem]]))
    #expect(changed.status == 422 && changed.body.contains(#""/intermediates/0""#), "\(changed)")
    #expect((try server.call("GET", path)["intermediates"] as? [String])?.count == good.count)
  }

  @Test func `preview obeys lists, also for a certificate that was never seen`() throws {
    let tenant = try server.makeTenant(authority: false)
    let root = try TestAuthority.root("Own Root")
    let (middle, sound) = (try root.intermediate("Lost CA"), try root.intermediate("Sound CA"))
    let own = try ExternalCA(root, of: tenant)
    let path = tenant.path + "/authorities/\(own.id)"
    let known = try server.call(
      "PATCH", path, ExternalCA.json(["intermediates": [middle, sound].map(\.certificate.pem)]))
    #expect(known.status == 200, "\(known)")
    func leaf(_ issuer: TestAuthority, serialNumber: [UInt8]? = nil) throws -> TestIdentity {
      try issuer.leaf {
        $0.names = [.uri(Array("urn:device:x".utf8))]
        $0.serialNumber = serialNumber
      }
    }
    let (listed, below, good) = (try leaf(root, serialNumber: [0x41]), try leaf(middle), try leaf(sound))
    let twin = try leaf(sound, serialNumber: [0x41])
    func preview(_ leaf: TestIdentity) throws -> String {
      try server.call("POST", path + "/preview", ExternalCA.json(["certificate": leaf.certificate.pem])).text(
        "reason")
    }
    for leaf in [listed, below, good, twin] { #expect(try preview(leaf) == "accepted") }
    #expect(
      try own.upload(TestRevocationList(revoking: listed.certificate, middle.certificate)).status == 200)
    for leaf in [listed, below] { #expect(try preview(leaf) == "certificate-revoked") }
    for leaf in [good, twin] { #expect(try preview(leaf) == "accepted") }
  }
}
