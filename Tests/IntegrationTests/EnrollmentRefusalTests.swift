import Fixtures
import Foundation
import Testing

/// Enrollments that come to nothing, and spend nothing.
struct EnrollmentRefusalTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  private func request(
    _ name: String, _ arguments: [String] = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
  )
    throws -> String
  {
    let files = server.folder.path + "/" + UUID().uuidString
    let made = try Shell.run(
      "openssl",
      ["req", "-new"] + arguments + [
        "-noenc", "-keyout", files + ".key", "-subj", "/CN=" + name, "-out", files,
      ])
    guard made.status == 0 else { throw Shell.Failure(made.errors) }
    return files
  }

  private func enroll(_ file: String, _ token: String, _ type: String = "application/x-pem-file") throws
    -> Answer
  {
    try server.curl([
      "-H", "Authorization: Bearer \(token)", "-H", "Content-Type: \(type)", "--data-binary", "@" + file,
      server.admin + "/v1/enroll",
    ])
  }

  @Test func `a bad request is refused with its reason and spends nothing`() throws {
    let tenant = try server.makeTenant()
    let token = try tenant.enrollmentToken()
    let good = try request("laptop")
    let flipped = good + ".flipped"
    try Shell.openssl("req", "-in", good, "-outform", "DER", "-out", flipped)
    var der = try Data(contentsOf: URL(fileURLWithPath: flipped))
    der[der.count - 1] ^= 1
    try der.write(to: URL(fileURLWithPath: flipped))
    let authority = try request(
      "ca", ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-addext", "basicConstraints=CA:TRUE"])
    let short = try request("short", ["-newkey", "rsa:1024"])
    let empty = try server.folder.write("", to: UUID().uuidString)
    for (file, type, reason) in [
      (flipped, "application/pkcs10", "signature"), (short, "application/x-pem-file", "1024"),
      (authority, "application/x-pem-file", "CA"), (empty, "text/plain", ""),
      ("/etc/hostname", "text/plain", ""),
    ] {
      let answer = try enroll(file, token, type)
      #expect(answer.status == 422 && answer.text("code") == "csr-invalid", "\(file): \(answer)")
      #expect(reason.isEmpty || answer.text("detail").contains(reason), "\(answer)")
    }
    #expect(try enroll(good, token, "application/xml").status == 415)
    #expect(try enroll(good, token).status == 201, "the token is as good as before")
  }

  @Test func `a spent, revoked, expired or foreign token gets one and the same answer`() throws {
    let tenant = try server.makeTenant()
    let (one, other) = (try request("one"), try request("other"))
    let spent = try tenant.enrollmentToken()
    #expect(try enroll(one, spent).status == 201)
    let revoked = try server.call("POST", tenant.path + "/enrollments", "{}")
    #expect(try server.call("DELETE", tenant.path + "/enrollments/\(revoked.text("id"))").status == 204)
    let expired = try server.call("POST", tenant.path + "/enrollments", "{}")
    try server.sql(
      "UPDATE enrollment SET expires_at = now() - interval '1 second' WHERE public_id = '\(expired.text("id"))'"
    )
    var answers: Set<String> = []
    for token in [
      spent, revoked.text("token"), expired.text("token"), try server.operatorToken, "usher_enroll_nonsense",
      "",
    ] {
      let answer = try enroll(other, token)
      #expect(answer.status == 401 && answer.text("code") == "enrollment-invalid", "\(answer)")
      answers.insert(answer.body)
    }
    #expect(answers.count == 1, "nothing tells them apart: \(answers)")
  }

  @Test func `the same key gets the same certificate again, for a client that lost the answer`() throws {
    let tenant = try server.makeTenant()
    let token = try tenant.enrollmentToken()
    let file = try request("laptop")
    let first = try enroll(file, token)
    #expect(first.status == 201)
    #expect(try enroll(file, token).body == first.body)
  }

  @Test func `a key belongs to one identity`() throws {
    let tenant = try server.makeTenant()
    let file = try request("one")
    #expect(try enroll(file, tenant.enrollmentToken(#"{"identity": "one"}"#)).status == 201)
    let refused = try enroll(file, tenant.enrollmentToken(#"{"identity": "other"}"#))
    #expect(refused.status == 409 && refused.text("code") == "key-in-use", "\(refused)")
  }

  @Test func `an organization without a CA of ours cannot issue`() throws {
    let tenant = try server.makeTenant(authority: false)
    let refused = try enroll(request("one"), tenant.enrollmentToken())
    #expect(refused.status == 409 && refused.text("code") == "no-issuing-authority", "\(refused)")
  }
}
