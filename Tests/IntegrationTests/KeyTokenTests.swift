import Fixtures
import Foundation
import Testing

/// A CA whose key is in a PKCS#11 token (SoftHSM), through a whole server.
@Suite(.enabled(if: SoftToken.isInstalled))
struct KeyTokenTests {
  @Test(arguments: ["EC:prime256v1", "EC:secp384r1", "rsa:3072"])
  func `an authority whose key is in a token signs certificates, lists and answers`(_ type: String) throws {
    let server = try Installation()
    let token = try SoftToken(in: server)
    try token.makeKey("acme", type)
    let other = try FurtherServer(of: server, settings: token.settings, environment: token.environment)
    let tenant = try server.makeTenant(authority: false)
    let path = tenant.path + "/authorities"
    let nobody = try other.admin(
      "POST", path, #"{"kind": "managed", "keyUri": "pkcs11:token=usher;object=x"}"#)
    #expect(nobody.status == 422 && nobody.body.contains("/keyUri"), "\(nobody)")
    let made = try other.admin(
      "POST", path, #"{"kind": "managed", "keyUri": "pkcs11:token=usher;object=acme"}"#)
    #expect(made.status == 201 && made.text("keyUri") == "pkcs11:token=usher;object=acme", "\(made)")
    #expect(try server.sql("SELECT count(*) FROM authority WHERE sealed_key IS NOT NULL") == "0")
    // A token is asked for its own keys alone: whoever wants none gets one of ours.
    let beside = try server.makeTenant(authority: false)
    let own = try other.admin("POST", beside.path + "/authorities", #"{"kind": "managed"}"#)
    #expect(own.status == 201, "\(own)")

    let request = try KeyRequest(in: server.folder.path, "laptop")
    let enrolled = try server.enroll(
      request, tenant.enrollmentToken(#"{"identity": "laptop"}"#), at: other.adminURL)
    let device = try server.device(enrolled, request)
    #expect(try other.call(device, "PUT", "/v1/seats/\(tenant.product)").status == 201)
    // Whoever verifies needs no token.
    #expect(try device.check(tenant.product).status == 200)
    let renewed = try other.call(
      device, "POST", "/v1/certificates",
      ["-H", "Content-Type: application/x-pem-file", "--data-binary", "@" + request.request])
    #expect(renewed.status == 201, "\(renewed)")

    let serial = try device.serialNumber
    #expect(try other.admin("POST", "\(tenant.path)/certificates/\(serial)/revoke", "{}").status == 200)
    let publication = try Publication(of: tenant, at: other.ops)
    let list = try #require(try publication.list(naming: serial))
    let anchor = try publication.anchor()
    try Shell.openssl("crl", "-in", list.pem, "-CAfile", anchor, "-noout")
    let answer = try Shell.openssl(
      "ocsp", "-issuer", anchor, "-cert", device.certificate, "-CAfile", anchor, "-url", publication.ocsp)
    #expect(answer.contains(": revoked"), "\(answer)")

    // A server without the token says so, and spends nothing.
    let late = try KeyRequest(in: server.folder.path, "late")
    let secret = try tenant.enrollmentToken(#"{"identity": "late"}"#)
    let refused = try server.enroll(late, secret)
    #expect(
      refused.status >= 500 && refused.headers["content-type"] == "application/problem+json", "\(refused)")
    #expect(try server.enroll(late, secret, at: other.adminURL).status == 201)
  }

  @Test func `a subordinate authority's key may be in a token too`() throws {
    let server = try Installation()
    let token = try SoftToken(in: server)
    try token.makeKey("below", "EC:prime256v1")
    let other = try FurtherServer(of: server, settings: token.settings, environment: token.environment)
    let tenant = try server.makeTenant(authority: false)
    let made = try other.admin(
      "POST", tenant.path + "/authorities",
      #"{"kind": "subordinate", "keyUri": "pkcs11:token=usher;object=below"}"#)
    #expect(made.status == 201, "\(made)")
    let chain = try RootOfTheirOwn(in: server.folder.path).sign(made.text("csr"), days: 900)
    let certified = try other.admin(
      "PUT", tenant.path + "/authorities/\(made.text("id"))/certificate",
      ExternalCA.json(["certificate": chain]))
    #expect(certified.status == 200 && certified.text("status") == "active", "\(certified)")
    let request = try KeyRequest(in: server.folder.path, "laptop")
    let enrolled = try server.enroll(
      request, tenant.enrollmentToken(#"{"identity": "laptop"}"#), at: other.adminURL)
    #expect(try server.device(enrolled, request).claim(tenant.product).status == 201)
  }
}
