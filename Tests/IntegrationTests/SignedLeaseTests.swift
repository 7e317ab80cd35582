import Fixtures
import Foundation
import Testing

/// A seat that holds without the server: signed by its key, bound to the device's.
struct SignedLeaseTests {
  private let server: Installation
  private let tenant: Tenant
  private let folder: TemporaryFolder

  init() throws {
    server = try Installation.shared.get()
    tenant = try server.makeTenant()
    folder = try TemporaryFolder()
  }

  private func keySet() throws -> String {
    let answer = try server.curl([server.admin + "/v1/jwks.json"])
    #expect(answer.status == 200 && answer.headers["content-type"] == "application/jwk-set+json", "\(answer)")
    return try folder.write(answer.body, to: "jwks.json")
  }

  private func signed(_ device: Device, _ method: String = "GET") throws -> Answer {
    try device.call(method, "/v1/seats/\(tenant.product)", ["-H", "Accept: application/jwt"])
  }

  private func usher(_ arguments: String...) throws -> Finished {
    try Shell.run(Installation.usher, arguments)
  }

  private func claims(_ lease: String) throws -> [String: Any] {
    var text = String(lease.split(separator: ".")[1]).replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    let data = try #require(Data(base64Encoded: text))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `any Seat answer comes signed to whoever asks, and holds offline for the key it is bound to`()
    throws
  {
    let (device, other) = (try tenant.enroll("laptop"), try tenant.enroll("other"))
    for (method, status) in [("PUT", 201), ("PUT", 200), ("GET", 200)] {
      let answer = try signed(device, method)
      #expect(answer.status == status && answer.headers["content-type"] == "application/jwt", "\(answer)")
      #expect(answer.headers["etag"] != nil)
      let claims = try claims(answer.body)
      #expect(claims["sub"] as? String == "laptop" && claims["aud"] as? String == tenant.product)
      #expect(
        claims["organization"] as? String == tenant.slug && claims["license"] as? String == tenant.license)
      #expect(claims["kind"] as? String == "lease" && claims["jti"] != nil && claims["iss"] != nil)
      let (issued, ends) = (claims["iat"] as? Int ?? 0, claims["exp"] as? Int ?? 0)
      #expect((590...601).contains(ends - issued), "\(claims)")
    }
    let lease = try folder.write(signed(device).body, to: "lease")
    let keys = try keySet()
    for (arguments, verdict, reason) in [
      ([], "SUCCESS", "laptop"), (["--key", device.key], "SUCCESS", ""),
      (["--certificate", device.certificate], "SUCCESS", ""),
      (["--key", other.key], "FAILURE", "another key"),
      (["--certificate", other.certificate], "FAILURE", "another key"),
      (["--key", device.key, "--at", "2020-01-01T00:00:00Z"], "FAILURE", "clock"),
      (["--key", device.key, "--at", "2120-01-01T00:00:00Z"], "FAILURE", "expired"),
    ] as [([String], String, String)] {
      let said = try Shell.run(Installation.usher, ["verify-lease", "--jwks", keys] + arguments + [lease])
      #expect(
        said.output.hasPrefix(verdict) && (reason.isEmpty || said.output.contains(reason)),
        "\(arguments): \(said)")
      #expect(said.status == (verdict == "SUCCESS" ? 0 : 1))
    }
    var forged = try signed(device).body
    forged.replaceSubrange(forged.index(forged.endIndex, offsetBy: -8)..., with: "AAAAAAAA")
    let said = try usher("verify-lease", "--jwks", keys, try folder.write(forged, to: "forged"))
    #expect(said.status == 1 && said.output.contains("signature"), "\(said)")
  }

  @Test func `thumbprints are those that openssl computes`() throws {
    let device = try tenant.enroll("laptop")
    #expect(try device.claim(tenant.product).status == 201)
    let confirmation = try #require(try claims(signed(device).body)["cnf"] as? [String: String])
    let digest = try Shell.run(
      "sh",
      [
        "-c",
        "openssl x509 -in \(device.certificate) -outform DER | openssl dgst -sha256 -binary | openssl base64",
      ])
    let expected = digest.output.trimmingCharacters(in: .newlines).replacing("+", with: "-")
      .replacing("/", with: "_").replacing("=", with: "")
    #expect(confirmation["x5t#S256"] == expected)
    #expect(confirmation["jkt"]?.count == 43)
  }

  /// An interpreter that has PyJWT and jwcrypto: Debian's has by its packages, whichever else comes first in the path.
  private static let python = ["python3", "/usr/bin/python3"].first {
    (try? Shell.run($0, ["-c", "import jwt, jwcrypto"]).status) == 0
  }

  @Test(.enabled(if: python != nil, "PyJWT and jwcrypto are not installed"))
  func `PyJWT and jwcrypto verify a lease by the published keys, and compute the same thumbprints`() throws {
    let device = try tenant.enroll("laptop")
    #expect(try device.claim(tenant.product).status == 201)
    let lease = try folder.write(signed(device).body, to: "lease")
    let script = """
      import json, sys, jwt
      from jwcrypto import jwk, jws
      keys, lease, certificate = open(sys.argv[1]).read(), open(sys.argv[2]).read().strip(), open(sys.argv[3], "rb").read()
      kid = jwt.get_unverified_header(lease)["kid"]
      key = jwt.PyJWKSet.from_json(keys)[kid]
      claims = jwt.decode(lease, key.key, algorithms=["ES256"], audience=sys.argv[4])
      published = jwk.JWKSet.from_json(keys).get_key(kid)
      token = jws.JWS(); token.deserialize(lease, published)
      assert json.loads(token.payload) == claims
      assert published.thumbprint() == kid
      assert jwk.JWK.from_pem(certificate).thumbprint() == claims["cnf"]["jkt"]
      print("verified", claims["sub"])
      """
    let said = try Shell.run(
      #require(Self.python), ["-c", script, try keySet(), lease, device.certificate, tenant.product])
    #expect(said.output == "verified laptop\n", "\(said)")
  }

  @Test func `a rotated key signs later, and one that leaked is withdrawn at once on every server`() throws {
    let server = try Installation()
    let tenant = try server.makeTenant()
    let device = try tenant.enroll("laptop")
    #expect(try device.claim(tenant.product).status == 201)
    func lease() throws -> String {
      let answer = try device.call("GET", "/v1/seats/\(tenant.product)", ["-H", "Accept: application/jwt"])
      return try folder.write(answer.body, to: UUID().uuidString)
    }
    func keys() throws -> [String] {
      let body = try server.curl([server.admin + "/v1/jwks.json"]).body
      return body.matches(of: /"kid":"([^"]+)"/).map { String($0.1) }
    }
    /// Returns once the server publishes what `holds` says.
    func published(_ holds: ([String]) -> Bool) throws -> Bool {
      let end = Date().addingTimeInterval(60)
      while Date() < end { if try holds(keys()) { return true } }
      return false
    }
    let old = try keys()
    #expect(old.count == 1)
    let configuration = server.data + "/usher.json"
    let rotated = try usher("lease-key", "rotate", "--config", configuration)
    #expect(rotated.status == 0, "\(rotated)")
    let new = rotated.output.trimmingCharacters(in: .newlines)
    #expect(try published { Set($0) == Set(old + [new]) })
    func verdict(_ lease: String) throws -> Finished {
      let set = try folder.write(server.curl([server.admin + "/v1/jwks.json"]).body, to: UUID().uuidString)
      return try usher("verify-lease", "--jwks", set, "--key", device.key, lease)
    }
    let before = try lease()
    #expect(try verdict(before).status == 0)
    let replaced = try usher("lease-key", "rotate", "--at-once", "--config", configuration)
    let last = replaced.output.trimmingCharacters(in: .newlines)
    #expect(try published { $0 == [last] })
    let refused = try verdict(before)
    #expect(refused.status == 1 && refused.output.contains("key set does not have"), "\(refused)")
    #expect(try verdict(lease()).status == 0)
    #expect(
      try server.sql("SELECT string_agg(type, ' ' ORDER BY id) FROM event WHERE type LIKE 'leaseKey.%'")
        == "leaseKey.created leaseKey.rotated leaseKey.replaced")
    #expect(try server.sql("SELECT count(*) FROM lease_key WHERE sealed_key IS NOT NULL") == "1")
  }

  @Test func `check --signed and watch are commands`() throws {
    let enrolled = try Shell.run(
      Installation.usher,
      [
        "enroll", "--server", server.admin, "--ca", server.serverCA, "--out", folder.path + "/id", "--token",
        tenant.enrollmentToken(#"{"identity": "desk"}"#),
      ])
    #expect(enrolled.status == 0, "\(enrolled)")
    #expect(try usher("claim", "--identity", folder.path + "/id", tenant.product).status == 0)
    let out = folder.path + "/lease.jwt"
    let check = try usher(
      "check", "--identity", folder.path + "/id", "--signed", "--out", out, tenant.product)
    #expect(check.status == 0 && check.output.isEmpty, "\(check)")
    let verified = try usher("verify-lease", "--jwks", keySet(), "--key", folder.path + "/id/key.pem", out)
    #expect(verified.status == 0, "\(verified)")

    let watch = try Program(
      Installation.usher, ["watch", "--identity", folder.path + "/id", tenant.product], output: .pipe,
      errors: .file(folder.path + "/errors"))
    #expect(watch.receivedLine().contains(#""kind":"lease""#))
    #expect(
      try server.call(
        "PATCH", "\(tenant.path)/licenses/\(tenant.license)", #"{"features": {"colour": "blue"}}"#
      ).status == 200)
    #expect(watch.receivedLine().contains(#""colour":"blue""#))
    #expect(try server.call("DELETE", "\(tenant.path)/licenses/\(tenant.license)/seats/desk").status == 204)
    let code: Int32 = if case .exit(let code) = watch.waitForEnd() { code } else { -1 }
    #expect(code == 3)
    #expect(String(decoding: try folder.read("errors"), as: UTF8.self).contains("seat-not-held"))
  }
}
