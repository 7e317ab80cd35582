import Fixtures
import Foundation
import PKIX
import Testing

/// With `refusals: "alert"` nobody who is refused completes a handshake, also on a server that never saw them before.
struct RefusalAlertTests {
  private let installation: Installation
  private let server: FurtherServer

  init() throws {
    installation = try Installation.shared.get()
    server = try FurtherServer(of: installation, settings: ["refusals": "alert"])
  }

  /// What `openssl s_client` is told there: the number of the alert, or the status of an answer.
  private func told(_ device: Device, _ version: String) throws -> String {
    let result = try Shell.run(
      "timeout",
      [
        "60", "openssl", "s_client", "-connect", "localhost:\(server.port)", "-CAfile",
        installation.serverCA, "-ign_eof", "-quiet", version == "1.2" ? "-tls1_2" : "-tls1_3", "-cert",
        device.certificate, "-key", device.key,
      ], input: "GET /v1/identity HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    if let alert = result.errors.range(of: "SSL alert number ") {
      return String(result.errors[alert.upperBound...].prefix { $0.isNumber })
    }
    return String(result.output.dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  @Test(arguments: RefusalTests.versions) func `whoever is refused gets an alert at the first handshake`(
    _ version: String
  ) throws {
    let tenant = try installation.makeTenant()
    let strict = try ExternalCA(.root("Strict"), of: tenant, autoProvision: false)
    let open = try ExternalCA(.root("Open"), of: tenant)
    // It was told of the other one before.
    try open.waitUntilKnown(at: server.device)
    let (good, revoked) = (try tenant.enroll("good"), try tenant.enroll("revoked"))
    let (suspended, deleted) = (try tenant.enroll("suspended"), try tenant.enroll("deleted"))
    let late = try open.device("late") {
      $0.notBefore = TestClock.now - 7200
      $0.notAfter = TestClock.now - 60
    }
    let listed = try open.device("listed")
    var list = TestRevocationList()
    let number = try #require(SerialNumber(hexadecimal: listed.serialNumber))
    list.entries = [.init(serialNumber: number, revokedAt: TestClock.now - 60)]
    #expect(try open.upload(list).status == 200)
    let serial = try revoked.serialNumber
    for (method, path, body, status) in [
      ("POST", "/certificates/\(serial)/revoke", "{}", 200),
      ("PATCH", "/identities/suspended", #"{"status": "suspended"}"#, 200),
      ("DELETE", "/identities/deleted", nil, 204),
    ] as [(String, String, String?, Int)] {
      let answer = try installation.call(method, tenant.path + path, body)
      #expect(answer.status == status, "\(answer)")
    }
    for (name, device, expected) in [
      ("good", good, "200"), ("revoked", revoked, "44"), ("suspended", suspended, "46"),
      ("on a list", listed, "44"),
      ("deleted", deleted, "44"), ("unknown", try strict.device("unknown"), "46"), ("expired", late, "45"),
      ("never seen, and welcome", try open.device("new"), "200"),
    ] {
      // The second time memory may know.
      for visit in 1...2 {
        let answer = try told(device, version)
        #expect(answer == expected, "\(name), visit \(visit)")
      }
    }
    #expect(server.said.contains("identity-unknown"))
  }

  @Test func `a newcomer of an identity that is suspended is refused too`() throws {
    let tenant = try installation.makeTenant()
    let authority = try ExternalCA(.root(), of: tenant)
    try authority.waitUntilKnown(at: server.device)
    // Known by its first certificate, on the other server.
    let name = "urn:device:laptop"
    let first = try authority.device("laptop")
    let identity = try first.call("GET", "/v1/identity")
    #expect(identity.status == 200, "\(identity)")
    let found = try installation.call(
      "PATCH", tenant.path + "/identities/" + identity.text("identity"), #"{"status": "suspended"}"#)
    #expect(found.status == 200, "\(found) of \(name)")
    let answer = try told(authority.device("laptop"), "1.3")
    #expect(answer == "46")
  }

  @Test func `while the database is away newcomers are told so, and nobody waits`() throws {
    let own = try Installation()
    let tenant = try own.makeTenant()
    let (known, newcomer) = (try tenant.enroll("known"), try tenant.enroll("newcomer"))
    let server = try FurtherServer(of: own, settings: ["refusals": "alert"])
    #expect(try known.claim(tenant.product).status == 201)
    let check = "/v1/seats/\(tenant.product)"
    #expect(try server.call(known, "GET", check).status == 200)
    try own.stopPostgres()
    try server.waits(untilReady: false)
    #expect(try server.call(newcomer, "GET", check).status == 503)
    #expect(try server.call(known, "GET", check).status == 200)
    try own.startPostgres()
    try server.waits(untilReady: true)
    #expect(try server.call(newcomer, "GET", "/v1/identity").status == 200)
  }
}
