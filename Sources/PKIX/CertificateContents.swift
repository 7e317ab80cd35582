package import Cryptography

/// Everything a certificate says, before it is signed: the TBSCertificate of RFC 5280 section 4.1.
///
/// It can say anything, also what is wrong; what Usher issues goes through `IssuingAuthority`.
package struct CertificateContents: Sendable {
  /// The version's number in the encoding: 2 for v3, 0 (left out) for v1.
  package var version = 2
  /// The contents octets of the serial number's INTEGER.
  package var serialNumber: [UInt8]
  package var issuer: DistinguishedName
  package var notBefore: Int64
  package var notAfter: Int64
  package var subject: DistinguishedName
  package var subjectPublicKeyInfo: [UInt8]
  package var extensions: [CertificateExtension]

  package init(
    serialNumber: [UInt8], issuer: DistinguishedName, notBefore: Int64, notAfter: Int64,
    subject: DistinguishedName, subjectPublicKeyInfo: [UInt8], extensions: [CertificateExtension]
  ) {
    self.serialNumber = serialNumber
    self.issuer = issuer
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.subject = subject
    self.subjectPublicKeyInfo = subjectPublicKeyInfo
    self.extensions = extensions
  }

  /// The certificate in DER.
  package func signed(by signer: any Signer) throws(OpenSSLError) -> [UInt8] {
    let algorithm = signer.signatureAlgorithm.algorithmIdentifier
    let contents = DER.sequence(
      version == 0 ? [] : DER.tagged(0, DER.integer(version)),
      DER.value(tag: 0x02, serialNumber),
      algorithm,
      issuer.der,
      DER.sequence(DER.time(notBefore), DER.time(notAfter)),
      subject.der,
      subjectPublicKeyInfo,
      extensions.isEmpty ? [] : DER.tagged(3, DER.sequence(of: extensions.map(\.der))))
    return DER.sequence(contents, algorithm, DER.bitString(try signer.sign(contents)))
  }
}
