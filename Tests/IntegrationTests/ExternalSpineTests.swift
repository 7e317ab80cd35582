import Cryptography
import Fixtures
import Foundation
import PKIX
import Testing

/// From a certificate of an organization's own CA to a seat.
struct ExternalSpineTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  @Test func `an identity that was never seen before claims a seat`() throws {
    let tenant = try server.makeTenant(authority: false)
    let device = try ExternalCA(.root(), of: tenant).device("laptop")
    let seat = try device.claim(tenant.product)
    #expect(seat.status == 201, "\(seat)")
    #expect(seat.text("identity") == "urn:device:laptop", "\(seat)")
    #expect(try device.claim(tenant.product).status == 200)
    let listed = try server.call("GET", tenant.path + "/identities")
    #expect(listed.body.contains("urn:device:laptop"))
  }

  @Test func `a CA made by openssl alone registers and proves itself`() throws {
    let tenant = try server.makeTenant(authority: false)
    let files = server.folder.path + "/openssl-ca-" + tenant.slug
    try Shell.openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-keyout",
      files + ".key", "-out",
      files + ".pem", "-subj", "/CN=Plain CA", "-days", "30")
    let registered = try server.call(
      "POST", tenant.path + "/authorities",
      ExternalCA.json([
        "kind": "external", "certificate": String(contentsOfFile: files + ".pem", encoding: .utf8),
        "autoProvision": true, "mapping": [["field": "san-uri"]],
      ]))
    #expect(registered.status == 201, "\(registered)")
    func sign(_ subject: String, _ name: String, extensions: String) throws {
      try Shell.openssl(
        "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-keyout",
        files + name + ".key",
        "-subj", subject, "-out", files + name + ".csr")
      try extensions.write(toFile: files + name + ".ext", atomically: true, encoding: .utf8)
      try Shell.openssl(
        "x509", "-req", "-in", files + name + ".csr", "-CA", files + ".pem", "-CAkey", files + ".key",
        "-CAcreateserial",
        "-days", "10", "-extfile", files + name + ".ext", "-out", files + name + ".pem")
    }
    try sign("/CN=\(registered.text("challenge"))", "-proof", extensions: "basicConstraints=CA:FALSE\n")
    let proven = try server.call(
      "POST", tenant.path + "/authorities/\(registered.text("id"))/proof",
      ExternalCA.json(["certificate": String(contentsOfFile: files + "-proof.pem", encoding: .utf8)]))
    #expect(proven.status == 200, "\(proven)")
    try sign("/CN=x", "-dev", extensions: "extendedKeyUsage=clientAuth\nsubjectAltName=URI:urn:device:a\n")
    let device = Device(installation: server, certificate: files + "-dev.pem", key: files + "-dev.key")
    #expect(try device.claim(tenant.product).status == 201)
  }

  @Test(arguments: [false, true])
  func `the same names, key ids and serials under another organization's CA are that organization's`(
    _ reversed: Bool
  )
    throws
  {
    let (one, other) = (try server.makeTenant(authority: false), try server.makeTenant(authority: false))
    let identifier: [UInt8] = Array("forged-key-id-000000".utf8)
    func root() throws -> TestAuthority {
      try .root("Same Name") {
        $0.subjectKeyIdentifier = identifier
        $0.serialNumber = [1]
      }
    }
    func twin(_ ca: ExternalCA) throws -> Device {
      try ca.device("twin") {
        $0.serialNumber = [42]
        $0.authorityKeyIdentifier = identifier
      }
    }
    let tenants = reversed ? [other, one] : [one, other]
    let cas = try tenants.map { try ExternalCA(root(), of: $0) }
    for ca in cas {
      let device = try twin(ca)
      #expect(try device.call("GET", "/v1/identity").text("organization") == ca.tenant.slug)
      #expect(try device.claim(ca.tenant.product).status == 201)
      for stranger in cas where stranger.tenant.slug != ca.tenant.slug {
        let refused = try device.claim(stranger.tenant.product)
        #expect(refused.status == 404 && refused.text("code") == "product-unknown", "\(refused)")
      }
    }
  }

  @Test func `a CA key that another organization has proven cannot be proven again`() throws {
    let authority = try TestAuthority.root()
    let (one, other) = (try server.makeTenant(authority: false), try server.makeTenant(authority: false))
    _ = try ExternalCA(authority, of: one)
    let claimed = try ExternalCA(authority, of: other, isProven: false)
    let refused = try server.call(
      "POST", other.path + "/authorities/\(claimed.id)/proof",
      ExternalCA.json(["certificate": claimed.proof.certificate.pem]))
    #expect(refused.status == 409 && refused.text("code") == "authority-key-in-use", "\(refused)")
  }

  @Test func `what does not prove the key is told so`() throws {
    let tenant = try server.makeTenant(authority: false)
    let authority = try TestAuthority.root()
    let pending = try ExternalCA(authority, of: tenant, isProven: false)
    let path = tenant.path + "/authorities/\(pending.id)/proof"
    for certificate in [
      try TestAuthority.root().proof(challenge: "x").certificate,
      try authority.proof(challenge: "wrong").certificate,
      authority.certificate,
    ] {
      let refused = try server.call("POST", path, ExternalCA.json(["certificate": certificate.pem]))
      #expect(refused.status == 422 && refused.text("code") == "proof-invalid", "\(refused)")
    }
  }
}
