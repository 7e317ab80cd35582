/// Why a revocation list is not taken.
public enum RevocationListError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No DER or PEM of a list, or more than one, or too long.
  case unreadable(String)
  /// A field or an extension that cannot be read, is there twice, or is missing although RFC 5280 demands it.
  case malformed(String)
  /// A delta list (section 5.2.4).
  case delta
  /// A list that speaks for other issuers too (section 5.2.5).
  case indirect
  /// A list for some certificates or some reasons only (section 5.2.5).
  case partial
  /// A critical extension that is not understood, so that entries cannot be understood either.
  case unknownCriticalExtension(ObjectIdentifier)
  /// Signed with a hash that permits forgeries.
  case weakSignature
  /// No certificate of the authority bears the list's issuer name.
  case wrongIssuer
  /// The list bears the authority's name, and no key of it made the signature.
  case badSignature
  /// The certificate that issued it may not sign lists (key usage without cRLSign).
  case issuerMayNotSign
  /// The certificate that issued it does not lead to the authority's anchor.
  case issuerNotTrusted(PathFailure)
  /// It was made in the future.
  case notYetValid

  public var description: String {
    switch self {
    case .unreadable(let reason): reason
    case .malformed(let part): "the revocation list's \(part)"
    case .delta: "a delta revocation list; send the complete one"
    case .indirect: "an indirect revocation list; send the issuer's own"
    case .partial: "a revocation list for only some certificates or reasons; send the complete one"
    case .unknownCriticalExtension(let identifier):
      "the revocation list's extension \(identifier) is critical and unknown"
    case .weakSignature: "the revocation list's signature is not one of SHA-2 with ECDSA, RSA or Ed25519"
    case .wrongIssuer: "the revocation list's issuer is no certificate of this authority"
    case .badSignature: "the revocation list's signature does not verify"
    case .issuerMayNotSign: "the revocation list's issuer may not sign lists (key usage without cRLSign)"
    case .issuerNotTrusted(let failure): "the revocation list's issuer is not trusted: \(failure)"
    case .notYetValid: "the revocation list's thisUpdate lies in the future"
    }
  }
}
