import Foundation
import Testing

/// What we publish, believed by OpenSSL and by GnuTLS.
struct RevocationTests {
  private let server: Installation
  init() throws { server = try Installation.shared.get() }

  @Test func `the list is believed by openssl and certtool, and within seconds names who was revoked`() throws
  {
    let tenant = try server.makeTenant()
    let (kept, lost) = (try tenant.enroll("kept"), try tenant.enroll("lost"))
    let publication = try Publication(of: tenant)
    let anchor = try publication.anchor()
    let first = try publication.list()
    #expect(try verify(lost, anchor, first.pem).status == 0)

    let serial = try lost.serialNumber
    let revoked = try server.call(
      "POST", tenant.path + "/certificates/\(serial)/revoke", #"{"reason": "keyCompromise"}"#)
    #expect(revoked.status == 200, "\(revoked)")
    let list = try #require(try publication.list(naming: serial))
    #expect(try verify(kept, anchor, list.pem).status == 0)
    let verdict = try verify(lost, anchor, list.pem)
    #expect(verdict.status != 0 && (verdict.output + verdict.errors).contains("certificate revoked"))

    let gnutls = try Shell.run(
      "certtool", ["--verify-crl", "--load-ca-certificate", anchor, "--infile", list.pem])
    #expect(gnutls.status == 0 && gnutls.output.contains("Verified"), "\(gnutls)")
    let info = try Shell.run("certtool", ["--crl-info", "--inder", "--infile", list.der]).output.lowercased()
    #expect(info.contains("revoked certificates (1)") && info.contains("crl number"), "\(info)")
    #expect(info.filter { $0 != ":" }.contains(serial.lowercased()), "\(info)")
  }

  private func verify(_ device: Device, _ anchor: String, _ list: String) throws -> Finished {
    try Shell.run(
      "openssl",
      ["verify", "-crl_check", "-x509_strict", "-CAfile", anchor, "-CRLfile", list, device.certificate])
  }

  @Test func `openssl ocsp and ocsptool believe the answers, over the wire`() throws {
    let tenant = try server.makeTenant()
    let (kept, lost) = (try tenant.enroll("kept"), try tenant.enroll("lost"))
    let publication = try Publication(of: tenant)
    let anchor = try publication.anchor()
    #expect(
      try server.call("POST", tenant.path + "/certificates/\(lost.serialNumber)/revoke", "{}").status == 200)
    for (device, status) in [(kept, "good"), (lost, "revoked")] {
      let openssl = try Shell.run(
        "openssl",
        [
          "ocsp", "-issuer", anchor, "-cert", device.certificate, "-url", publication.ocsp, "-CAfile", anchor,
        ])
      #expect(openssl.errors.contains("Response verify OK"), "\(openssl)")
      #expect(openssl.output.contains("\(device.certificate): \(status)"), "\(openssl)")
      let gnutls = try Shell.run(
        "ocsptool",
        [
          "--ask=\(publication.ocsp)", "--load-cert", device.certificate, "--load-issuer", anchor,
          "--load-trust", anchor,
        ])
      #expect(gnutls.output.contains("Certificate Status: \(status)"), "\(gnutls)")
      #expect((gnutls.output + gnutls.errors).contains("Success"), "\(gnutls)")
    }
  }
}
