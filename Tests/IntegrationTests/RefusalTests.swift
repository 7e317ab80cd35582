import Cryptography
import Fixtures
import Foundation
import PKIX
import Testing

/// Who is refused, and how they are told.
struct RefusalTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  static let versions = ["1.3", "1.2"]

  /// What `openssl s_client` is told when it connects and asks for something.
  private func alert(_ version: String, _ device: Device?) throws -> String {
    let address = server.device.replacingOccurrences(of: "https://", with: "")
    let certificate = device.map { ["-cert", $0.certificate, "-key", $0.key] } ?? []
    let result = try Shell.run(
      "timeout",
      [
        "20", "openssl", "s_client", "-connect", address, "-CAfile", server.serverCA, "-ign_eof", "-quiet",
        version == "1.2" ? "-tls1_2" : "-tls1_3",
      ] + certificate, input: "GET /v1/identity HTTP/1.1\r\nHost: localhost\r\n\r\n")
    guard let found = result.errors.range(of: "SSL alert number ") else {
      return "no alert: \(result.errors)\(result.output)"
    }
    return String(result.errors[found.upperBound...].prefix { $0.isNumber })
  }

  private func refusal(_ version: String, _ device: Device, _ path: String = "/v1/identity") throws -> Answer
  {
    try device.call("GET", path, ["--tls-max", version])
  }

  @Test(arguments: versions) func `whoever no known authority vouches for gets the right alert`(
    _ version: String
  ) throws {
    let tenant = try server.makeTenant(authority: false)
    let root = try TestAuthority.root()
    let ca = try ExternalCA(root, of: tenant)
    let pending = try ExternalCA(.root("Pending"), of: tenant, isProven: false)
    let stranger = try TestAuthority.root("Stranger")
    let forger = try TestAuthority.root("Test Root") {
      $0.subjectKeyIdentifier = root.certificate.computedKeyIdentifier
    }
    let cases: [(String, Device?, String)] = [
      ("no certificate", nil, version == "1.2" ? "40" : "116"),
      ("self-signed", try server.device(stranger.identity), "48"),
      ("an unknown CA", try server.device(stranger.leaf()), "48"),
      ("an unproven CA", try pending.device("laptop"), "48"),
      ("serverAuth only", try server.device(root.leaf(with: .serverAuthOnly)), "43"),
      ("a proof certificate", try server.device(ca.proof), "42"),
      ("a forged key id", try server.device(forger.leaf()), "42"),
    ]
    for (name, device, expected) in cases {
      let told = try alert(version, device)
      #expect(told == expected, "\(name)")
    }
  }

  @Test(arguments: versions) func `of a hundred alerts none is lost`(_ version: String) throws {
    let stranger = try server.device(TestAuthority.root("Stranger").leaf())
    var told: [String: Int] = [:]
    for turn in 0..<100 { told[try alert(version, turn % 2 == 0 ? nil : stranger), default: 0] += 1 }
    #expect(told == [version == "1.2" ? "40" : "116": 50, "48": 50])
  }

  @Test(arguments: versions) func `curl is told the same alerts`(_ version: String) throws {
    let answer = try server.curl(["--tls-max", version, server.device + "/v1/identity"])
    #expect(answer.exitCode != 0 && answer.failure?.contains("alert") == true, "\(answer)")
  }

  @Test(arguments: versions) func `a known device outside its time is told by a problem it can read`(
    _ version: String
  ) throws {
    let tenant = try server.makeTenant(authority: false)
    let ca = try ExternalCA(.root(), of: tenant)
    let late = try ca.device("late") {
      $0.notBefore = TestClock.now - 7200
      $0.notAfter = TestClock.now - 60
    }
    let early = try ca.device("early") { $0.notBefore = TestClock.now + 3600 }
    for (device, code) in [(late, "certificate-expired"), (early, "certificate-not-yet-valid")] {
      let answer = try refusal(version, device)
      #expect(answer.status == 410 && answer.text("code") == code, "\(answer)")
      #expect(answer.headers["connection"] == "close")
      #expect(answer.text("contactUrl") == "https://help.example/")
      #expect(try refusal(version, device, "/v1/nowhere").text("code") == code, "on every path")
    }
  }

  @Test(arguments: versions) func `a device that nobody knows is told so`(_ version: String) throws {
    let tenant = try server.makeTenant(authority: false)
    let device = try ExternalCA(.root(), of: tenant, autoProvision: false).device("laptop")
    let answer = try refusal(version, device)
    #expect(answer.status == 404 && answer.text("code") == "identity-unknown", "\(answer)")
  }

  @Test(arguments: versions) func `revoking, suspending and deleting bite on the next connection`(
    _ version: String
  ) throws {
    let tenant = try server.makeTenant()
    let revoked = try tenant.enroll("revoked")
    #expect(try refusal(version, revoked).status == 200)
    #expect(
      try server.call("POST", "\(tenant.path)/certificates/\(revoked.serialNumber)/revoke", "{}").status < 300
    )
    #expect(try refusal(version, revoked).text("code") == "certificate-revoked")

    let suspended = try tenant.enroll("suspended")
    #expect(try refusal(version, suspended).status == 200)
    #expect(
      try server.call("PATCH", tenant.path + "/identities/suspended", #"{"status": "suspended"}"#).status
        == 200)
    let answer = try refusal(version, suspended)
    #expect(answer.status == 402 && answer.text("code") == "identity-suspended", "\(answer)")
    #expect(
      try server.call("PATCH", tenant.path + "/identities/suspended", #"{"status": "active"}"#).status == 200)
    #expect(try refusal(version, suspended).status == 200)

    let deleted = try tenant.enroll("deleted")
    #expect(try server.call("DELETE", tenant.path + "/identities/deleted").status == 204)
    let gone = try refusal(version, deleted)
    #expect(gone.status == 410, "\(gone)")

    #expect(try server.call("PATCH", tenant.path, #"{"status": "suspended"}"#).status == 200)
    #expect(try refusal(version, suspended).text("code") == "organization-suspended")
  }

  @Test func `a live connection is answered once more and closed`() throws {
    let tenant = try server.makeTenant()
    let device = try tenant.enroll("laptop")
    #expect(try device.claim(tenant.product).status == 201)
    let connection = try LiveConnection(device)
    #expect(try connection.get("/v1/seats/\(tenant.product)").hasPrefix("HTTP/1.1 200"))
    #expect(
      try server.call("POST", "\(tenant.path)/certificates/\(device.serialNumber)/revoke", "{}").status < 300)
    #expect(connection.endsWithin(seconds: 5), "an idle connection of a revoked certificate is closed")
  }

  @Test func `a product of another organization is unknown`() throws {
    let (one, other) = (try server.makeTenant(), try server.makeTenant())
    let answer = try one.enroll("laptop").claim(other.product)
    #expect(answer.status == 404 && answer.text("code") == "product-unknown", "\(answer)")
  }
}
