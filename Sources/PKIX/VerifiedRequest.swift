public import Cryptography

/// A certification request whose sender has proven to hold the private key, and whose key may be certified.
///
/// Only `CertificationRequest.verified()` makes one, and signing takes nothing else. What goes into a certificate is
/// the public key alone; the rest is for naming and for the audit trail.
public struct VerifiedRequest: Sendable {
  /// The key, its SubjectPublicKeyInfo written afresh, so that one key has one form.
  public let publicKey: PublicKey
  /// The subject that was asked for.
  public let subject: DistinguishedName
  /// The common name that was asked for; nil when there is none, more than one, or one that is no text.
  public let commonName: String?
  /// The extensions that were asked for, in order. All are ignored.
  public let requestedExtensions: [ObjectIdentifier]

  init(publicKey: PublicKey, subject: DistinguishedName, requestedExtensions: [ObjectIdentifier]) {
    self.publicKey = publicKey
    self.subject = subject
    self.requestedExtensions = requestedExtensions
    let names = subject.values(of: .commonName)
    commonName = names.count == 1 ? names[0].flatMap { String(validating: $0, as: UTF8.self) } : nil
  }
}
