public import Cryptography
import Licensing
public import PKIX

extension CertificateFacts {
  /// What the database keeps of `certificate`. Throws when its key cannot be read.
  public init(_ certificate: Certificate) throws(OpenSSLError) {
    self.init(
      der: certificate.der, serialNumber: certificate.serialNumber.description,
      fingerprint: certificate.fingerprint.bytes,
      spki: try SHA256Digest(hashing: certificate.subjectPublicKeyInfo).bytes,
      notBefore: Instant(seconds: certificate.notBefore), notAfter: Instant(seconds: certificate.notAfter))
  }
}

extension AnchorFacts {
  /// What the database indexes of a CA certificate; the key identifier is computed where none is stated.
  public init(_ certificate: Certificate) throws {
    self.init(
      der: certificate.der, spki: try SHA256Digest(hashing: certificate.subjectPublicKeyInfo).bytes,
      subject: certificate.subject.der,
      subjectKeyIdentifier: try certificate.subjectKeyIdentifier ?? certificate.computedKeyIdentifier)
  }
}
