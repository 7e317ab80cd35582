import Fixtures
import Foundation
import Testing

/// The CAs whose keys the service holds, from their making to their end.
struct AuthorityLifeTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  private func make(_ json: String, of tenant: Tenant) throws -> Answer {
    let answer = try server.call("POST", tenant.path + "/authorities", json)
    guard answer.status == 201 else { throw Shell.Failure("\(answer)") }
    return answer
  }

  private func file(_ text: String) throws -> String {
    try server.folder.write(text, to: UUID().uuidString + ".pem")
  }

  private func change(_ authority: Answer, _ json: String, of tenant: Tenant) throws -> Answer {
    try server.call("PATCH", tenant.path + "/authorities/" + authority.text("id"), json)
  }

  @Test(arguments: [
    ("P-256", "ecdsa-with-SHA256"), ("P-384", "ecdsa-with-SHA384"), ("RSA-3072", "sha256WithRSAEncryption"),
    ("RSA-4096", "sha256WithRSAEncryption"),
  ])
  func `every kind of key signs certificates that openssl accepts`(_ keyType: String, _ algorithm: String)
    throws
  {
    let tenant = try server.makeTenant(authority: false)
    let authority = try make(#"{"kind": "managed", "keyType": "\#(keyType)"}"#, of: tenant)
    #expect(authority.text("status") == "active" && authority.text("keyType") == keyType)
    let device = try tenant.enroll("laptop")
    let root = try file(authority.text("certificate"))
    try Shell.openssl(
      "verify", "-x509_strict", "-purpose", "sslclient", "-CAfile", root, device.certificate)
    let text = try Shell.openssl("x509", "-in", device.certificate, "-noout", "-text")
    #expect(text.contains("Signature Algorithm: \(algorithm)"), "\(text)")
    #expect(try device.claim(tenant.product).status == 201)
  }

  @Test func `an authority under the organization's own root signs once the root has certified it`() throws {
    let tenant = try server.makeTenant(authority: false)
    let pending = try make(#"{"kind": "subordinate", "name": "Acme devices"}"#, of: tenant)
    #expect(pending.text("status") == "pending" && pending["certificate"] is NSNull, "\(pending)")
    let path = tenant.path + "/authorities/\(pending.text("id"))/certificate"
    let refused = try server.enroll(KeyRequest(in: server.folder.path), tenant.enrollmentToken())
    #expect(refused.text("code") == "no-issuing-authority", "\(refused)")

    let root = try RootOfTheirOwn(in: server.folder.path)
    let certificate = try root.sign(pending.text("csr"), days: 900)
    let stranger = try root.sign(
      try String(contentsOfFile: KeyRequest(in: server.folder.path).request, encoding: .utf8), days: 900)
    func upload(_ pem: String...) throws -> Answer {
      try server.call("PUT", path, ExternalCA.json(["certificate": pem.joined()]))
    }
    for (wrong, reason) in [
      (try upload(stranger), "another key"), (try upload(certificate, stranger), "is not signed by"),
      (try upload("nonsense"), "PEM"),
    ] {
      #expect(wrong.status == 422 && wrong.body.contains(reason), "\(wrong)")
    }
    let active = try upload(certificate, root.pem)
    #expect(
      active.status == 200 && active.text("status") == "active" && active.text("csr") == pending.text("csr"),
      "\(active)")
    #expect((active["warnings"] as? [String]) == [], "\(active)")
    #expect(try upload(certificate, root.pem).status == 200, "the same again changes nothing")

    let device = try tenant.enroll("laptop")
    try Shell.openssl(
      "verify", "-x509_strict", "-purpose", "sslclient", "-CAfile", try file(root.pem), "-untrusted",
      try file(certificate), device.certificate)
    #expect(try device.claim(tenant.product).status == 201, "the whole chain is presented")
    let leaf = try file(Shell.openssl("x509", "-in", device.certificate))
    let alone = Device(installation: server, certificate: leaf, key: device.key)
    #expect(try alone.check(tenant.product).status == 200, "the leaf alone is enough")
  }

  @Test func `the root certifies the same key again before its certificate ends, and devices notice nothing`()
    throws
  {
    let tenant = try server.makeTenant(authority: false)
    let pending = try make(#"{"kind": "subordinate", "name": "Acme devices"}"#, of: tenant)
    let item = tenant.path + "/authorities/\(pending.text("id"))"
    let root = try RootOfTheirOwn(in: server.folder.path)
    func upload(_ pem: String) throws -> Answer {
      try server.call("PUT", item + "/certificate", ExternalCA.json(["certificate": pem]))
    }
    #expect(try upload(root.sign(pending.text("csr"), days: 2)).status == 200)
    let device = try tenant.enroll("laptop")
    let connection = try LiveConnection(device)
    #expect(try connection.get("/v1/identity").hasPrefix("HTTP/1.1 200"))

    let renamed = try root.sign(pending.text("csr"), days: 900, subject: "/CN=Other")
    let otherwise = try root.sign(
      pending.text("csr"), days: 900,
      extensions:
        "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=0102")
    for wrong in [renamed, otherwise] {
      let answer = try upload(wrong)
      #expect(answer.status == 422 && answer.body.contains("/certificate"), "\(answer)")
    }
    let certificate = try root.sign(pending.text("csr"), days: 900)
    let renewed = try upload(certificate)
    #expect(renewed.status == 200 && renewed.text("certificate") == certificate, "\(renewed)")
    #expect(try connection.get("/v1/identity").hasPrefix("HTTP/1.1 200"))
    #expect(try device.claim(tenant.product).status == 201)
    let later = try tenant.enroll("tablet")
    #expect(try later.claim(tenant.product).status == 201)
    let (end, old) = (try expiry(later.certificate), try expiry(device.certificate))
    #expect(end != old, "new certificates may live past the old CA certificate")
    for device in [device, later] {
      try Shell.openssl(
        "verify", "-purpose", "sslclient", "-CAfile", try file(root.pem), "-untrusted", try file(certificate),
        device.certificate)
    }
    #expect(try change(pending, #"{"status": "revoked"}"#, of: tenant).status == 200)
    #expect(try upload(root.sign(pending.text("csr"), days: 901)).status == 422)
  }

  private func expiry(_ certificate: String) throws -> String {
    try Shell.openssl("x509", "-in", certificate, "-noout", "-enddate")
  }

  @Test func `a certificate under which no device's would be valid is refused`() throws {
    let tenant = try server.makeTenant(authority: false)
    let pending = try make(#"{"kind": "subordinate"}"#, of: tenant)
    let root = try RootOfTheirOwn(in: server.folder.path)
    for extensions in [
      "basicConstraints=CA:FALSE", "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,digitalSignature",
      "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\nnameConstraints=critical,permitted;URI:elsewhere.example",
    ] {
      let answer = try server.call(
        "PUT", tenant.path + "/authorities/\(pending.text("id"))/certificate",
        ExternalCA.json([
          "certificate": try root.sign(pending.text("csr"), days: 900, extensions: extensions)
        ]))
      #expect(answer.status == 422 && answer.body.contains("/certificate"), "\(answer)")
    }
  }

  @Test func `an issuer near its end signs no further than that`() throws {
    let tenant = try server.makeTenant(authority: false)
    let pending = try make(#"{"kind": "subordinate"}"#, of: tenant)
    let root = try RootOfTheirOwn(in: server.folder.path)
    let certificate = try root.sign(pending.text("csr"), days: 2)
    let active = try server.call(
      "PUT", tenant.path + "/authorities/\(pending.text("id"))/certificate",
      ExternalCA.json(["certificate": certificate]))
    #expect(active.status == 200, "\(active)")
    let device = try tenant.enroll("laptop")
    let end = { try Shell.openssl("x509", "-in", $0, "-noout", "-enddate") }
    #expect(try end(device.certificate) == end(try file(certificate)))
  }

  @Test func `a new authority signs while the old one still verifies`() throws {
    let tenant = try server.makeTenant(authority: false)
    let old = try make(#"{"kind": "managed", "name": "old"}"#, of: tenant)
    let device = try tenant.enroll("laptop")
    let new = try make(#"{"kind": "managed", "name": "new"}"#, of: tenant)
    #expect(try change(old, #"{"status": "retired"}"#, of: tenant).text("status") == "retired")
    #expect(try device.claim(tenant.product).status == 201)

    let request = try KeyRequest(in: server.folder.path)
    let renewed = try server.device(device.renew(request), request)
    let newRoot = try file(new.text("certificate"))
    try Shell.openssl("verify", "-CAfile", newRoot, renewed.certificate)
    #expect(try renewed.claim(tenant.product).status == 200, "the same identity has the same seat")

    #expect(try change(new, #"{"status": "retired"}"#, of: tenant).status == 200)
    let nobody = try server.enroll(KeyRequest(in: server.folder.path), tenant.enrollmentToken())
    #expect(nobody.status == 409 && nobody.text("code") == "no-issuing-authority", "\(nobody)")
    #expect(try change(old, #"{"status": "active"}"#, of: tenant).status == 200)
    #expect(try tenant.enroll("tablet").claim(tenant.product).status == 201)
  }

  @Test func `an authority is deleted when nothing that it signed lives, and refuses for ever`() throws {
    let tenant = try server.makeTenant(authority: false)
    let authority = try make(#"{"kind": "managed"}"#, of: tenant)
    let item = tenant.path + "/authorities/" + authority.text("id")
    let device = try tenant.enroll("laptop")
    #expect(try device.claim(tenant.product).status == 201)
    let refused = try server.call("DELETE", item)
    #expect(refused.status == 409 && refused.text("code") == "authority-in-use", "\(refused)")

    let serial = try device.serialNumber
    #expect(try server.call("POST", tenant.path + "/certificates/\(serial)/revoke", "{}").status == 200)
    #expect(try server.call("DELETE", item).status == 204)
    #expect(try server.call("GET", item).status == 404)
    let late = try device.check(tenant.product)
    #expect(late.status == 410 && late.text("code") == "authority-revoked", "\(late)")
    let key = try server.sql(
      "SELECT sealed_key IS NULL FROM authority WHERE public_id = '\(authority.text("id"))'")
    #expect(key == "t", "its key is gone")
  }

  @Test func `under a revoked authority nothing lives, renews or is issued`() throws {
    let tenant = try server.makeTenant(authority: false)
    let authority = try make(#"{"kind": "managed"}"#, of: tenant)
    let device = try tenant.enroll("laptop")
    #expect(try device.claim(tenant.product).status == 201)
    #expect(try change(authority, #"{"status": "revoked"}"#, of: tenant).status == 200)
    for answer in [
      try device.check(tenant.product), try device.renew(KeyRequest(in: server.folder.path)),
    ] {
      #expect(answer.status == 410 && answer.text("code") == "authority-revoked", "\(answer)")
    }
    #expect(try change(authority, #"{"status": "active"}"#, of: tenant).status == 422, "that is final")
    let item = tenant.path + "/authorities/" + authority.text("id")
    #expect(try server.call("DELETE", item).status == 204)
    #expect(try device.check(tenant.product).text("code") == "authority-revoked")
  }
}
