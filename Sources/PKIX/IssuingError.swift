public import Cryptography

/// Why an authority did not issue a certificate.
public enum IssuingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The authority is not valid now, or ends so soon that the certificate would hardly live.
  case authorityOutsideItsTime(String)
  /// A name in the profile cannot stand in a certificate.
  case unfitName(String)
  /// The signer's key is not the one that the authority's certificate certifies.
  case wrongSigner
  /// Signing failed.
  case signing(OpenSSLError)
  /// What was signed is not what was meant: a fault in Usher. The certificate is thrown away.
  case selfCheck(String)

  public var description: String {
    switch self {
    case .authorityOutsideItsTime(let reason), .unfitName(let reason): reason
    case .wrongSigner: "the signing key does not belong to the authority's certificate"
    case .signing(let error): "signing failed: \(error)"
    case .selfCheck(let reason): "the certificate failed its own check: \(reason)"
    }
  }
}
