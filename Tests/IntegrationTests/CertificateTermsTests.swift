import Fixtures
import Foundation
import Testing

/// What stands in a certificate: what the organization's terms say, and nothing of what the device asked for.
struct CertificateTermsTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  private static let p384 = [
    "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384", "-addext",
    "subjectAltName=URI:spiffe://other.example/root,DNS:other.example", "-addext",
    "extendedKeyUsage=serverAuth", "-addext", "1.2.3.4=critical,ASN1:NULL",
  ]

  /// The names of the extensions as `openssl` writes them, with what follows on the next line.
  private func extensions(_ file: String) throws -> [String: String] {
    let lines = try Shell.openssl("x509", "-in", file, "-noout", "-text").split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    var found: [String: String] = [:]
    for (index, line) in lines.enumerated() where index + 1 < lines.count {
      if line.hasPrefix("X509v3 ") && line != "X509v3 extensions:"
        || line.hasPrefix("Authority Information Access")
      {
        found[line] = lines[index + 1]
      }
    }
    return found
  }

  @Test func `a certificate says what the terms of the organization say, and nothing else`() throws {
    let tenant = try server.makeTenant()
    let terms =
      #"{"certificates": {"validitySeconds": 86400, "renewBeforeSeconds": 3600, "keyTypes": ["P-384"], "subject": "empty"}}"#
    let changed = try server.call("PATCH", tenant.path, terms)
    #expect(changed.status == 200, "\(changed)")
    #expect((changed["certificates"] as? [String: Any])?["overlapSeconds"] as? Int == 2_592_000)

    let weak = try server.enroll(KeyRequest(in: server.folder.path), tenant.enrollmentToken())
    #expect(weak.status == 422 && weak.text("detail").contains("P-384"), "\(weak)")

    let request = try KeyRequest(in: server.folder.path, "laptop", Self.p384)
    let answer = try server.curl([
      "-H", "Authorization: Bearer \(try tenant.enrollmentToken())", "-H", "Accept: application/json", "-H",
      "Content-Type: application/x-pem-file", "--data-binary", "@" + request.request,
      server.admin + "/v1/enroll",
    ])
    #expect(answer.status == 201, "\(answer)")
    let times = ISO8601DateFormatter()
    let end = try #require(times.date(from: answer.text("notAfter")))
    let renewal = try #require(times.date(from: answer.text("renewAfter")))
    #expect(abs(end.timeIntervalSinceNow - 86400) < 120 && end.timeIntervalSince(renewal) == 3600)

    let file = try server.folder.write(answer.text("certificate"), to: UUID().uuidString)
    let identifier = try server.call("GET", tenant.path + "/authorities")
    let found = try extensions(file)
    #expect(
      Set(found.keys) == [
        "X509v3 Basic Constraints: critical", "X509v3 Key Usage: critical", "X509v3 Extended Key Usage:",
        "X509v3 Subject Alternative Name: critical", "X509v3 Subject Key Identifier:",
        "X509v3 Authority Key Identifier:", "X509v3 CRL Distribution Points:",
        "Authority Information Access:",
      ], "\(found)")
    #expect(found["X509v3 Basic Constraints: critical"] == "CA:FALSE")
    #expect(found["X509v3 Key Usage: critical"] == "Digital Signature")
    #expect(found["X509v3 Extended Key Usage:"] == "TLS Web Client Authentication")
    #expect(
      found["X509v3 Subject Alternative Name: critical"]
        == "URI:spiffe://\(tenant.slug).usher.localhost/laptop"
    )
    let text = try Shell.openssl("x509", "-in", file, "-noout", "-text", "-serial", "-subject")
    #expect(text.contains("subject=\n") && text.contains("/v1/authorities/"), "\(text)")
    let serial = try #require(text.firstMatch(of: /serial=([0-9A-F]+)/)).1
    #expect(serial.count == 32, "16 octets")
    #expect(identifier.body.contains("BEGIN CERTIFICATE"))
  }

  @Test func `an authority may sign for its organization's host alone`() throws {
    let tenant = try server.makeTenant(authority: false)
    let made = try server.call("POST", tenant.path + "/authorities", #"{"kind": "managed"}"#)
    let file = try server.folder.write(made.text("certificate"), to: UUID().uuidString)
    let found = try extensions(file)
    #expect(found["X509v3 Basic Constraints: critical"] == "CA:TRUE, pathlen:0", "\(found)")
    #expect(found["X509v3 Name Constraints: critical"] == "Permitted:", "\(found)")
    let text = try Shell.openssl("x509", "-in", file, "-noout", "-text")
    #expect(text.contains("URI:\(tenant.slug).usher.localhost\n"), "\(text)")
  }

  @Test(arguments: [
    (#"{"validitySeconds": 59}"#, "/certificates/validitySeconds"),
    (#"{"keyTypes": ["P-256", "P-256"]}"#, "/certificates/keyTypes"),
    (#"{"keyTypes": ["P-521"]}"#, "/certificates/keyTypes/0"),
    (#"{"subject": "mine"}"#, "/certificates/subject"),
    (#"{"life": 1}"#, "/certificates/life"),
  ]) func `terms that cannot be are refused by their place`(_ terms: String, _ pointer: String) throws {
    let tenant = try server.makeTenant(authority: false)
    let refused = try server.call("PATCH", tenant.path, #"{"certificates": \#(terms)}"#)
    #expect(refused.status == 422 && refused.body.contains(#""\#(pointer)""#), "\(refused)")
  }

  @Test func `a key in a token needs a token, and an operator`() throws {
    let tenant = try server.makeTenant(authority: false)
    let body = #"{"kind": "managed", "keyUri": "pkcs11:token=usher;object=acme"}"#
    let without = try server.call("POST", tenant.path + "/authorities", body)
    #expect(without.status == 422 && without.body.contains("no PKCS#11 token"), "\(without)")
    let pin = try server.call(
      "POST", tenant.path + "/authorities",
      #"{"kind": "managed", "keyUri": "pkcs11:token=usher;object=acme?pin-value=1"}"#)
    #expect(pin.status == 422 && pin.body.contains("without a PIN"), "\(pin)")
    let token = try server.call("POST", tenant.path + "/tokens", #"{"name": "a", "role": "admin"}"#)
    let admin = try server.call("POST", tenant.path + "/authorities", body, token: token.text("token"))
    #expect(admin.status == 422 && admin.body.contains("only an operator"), "\(admin)")
  }
}
