import Cryptography
import Fixtures
import PKIX
import Testing

struct CertificateTests {
  /// openssl req -x509 -newkey ec -subj "/CN=Jane, \"Doe\"+x/O=Äcme" -set_serial 0x00ff… with SANs of every kind.
  @Test func `a certificate that openssl made is read field by field`() throws {
    let text = try OpenSSLTool.run(
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
        "/dev/null",
        "-subj", "/CN=Jane, \"Doe\"/O=\u{c4}cme", "-utf8", "-set_serial", "0xff0123456789abcdef", "-days",
        "10",
        "-addext", "subjectAltName=URI:spiffe://a.b/c,DNS:x.y,email:e@f,IP:127.0.0.1,RID:1.2.3",
        "-addext", "extendedKeyUsage=clientAuth,1.2.3.4",
        "-addext", "keyUsage=critical,digitalSignature,keyCertSign",
      ])
    let certificate = try Certificate(pem: text)
    #expect(certificate.serialNumber.description == "ff0123456789abcdef")
    #expect(certificate.serialNumber.encodedLength == 10)
    #expect(certificate.version == 3)
    #expect(certificate.subject == certificate.issuer)
    #expect(certificate.subject.description == #"O=\C3\84cme,CN=Jane\, \"Doe\""#)
    #expect(certificate.subject.values(of: .commonName) == [Array("Jane, \"Doe\"".utf8)])
    #expect(certificate.notAfter - certificate.notBefore == 864_000)
    #expect(
      try certificate.subjectAlternativeNames == [
        .uri(Array("spiffe://a.b/c".utf8)), .dns(Array("x.y".utf8)), .email(Array("e@f".utf8)),
        .ip([127, 0, 0, 1]), .registeredID(ObjectIdentifier("1.2.3")),
      ])
    #expect(try certificate.extendedKeyUsage == [.clientAuth, ObjectIdentifier("1.2.3.4")])
    #expect(try certificate.keyUsage == [.digitalSignature, .keyCertSign])
    #expect(try certificate.basicConstraints == BasicConstraints(isAuthority: true))
    #expect(try certificate.subjectKeyIdentifier == certificate.computedKeyIdentifier)
    #expect(try certificate.authorityKeyIdentifier == certificate.computedKeyIdentifier)
    let key = try #require(certificate.publicKey)
    #expect(key.kind == .p256)
    #expect(certificate.isSigned(by: key))
    #expect(try Certificate(der: certificate.der) == certificate)
    #expect(try Certificate(pem: Array(certificate.pem.utf8)) == certificate)
    #expect(try unsafe certificate.withUnsafeX509 { try unsafe Certificate(retaining: $0) } == certificate)
    #expect(throws: CertificateError.self) { try Certificate(der: certificate.der + [0]) }
    #expect(throws: CertificateError.self) { try Certificate(pem: text + text) }
    #expect(try Certificate.all(inPEM: text + text).count == 2)
  }
}
