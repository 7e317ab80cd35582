/// Why a certification request is refused, in words for whoever sent it.
public enum RequestError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The bytes are no PKCS#10 request in PEM, DER or base64.
  case unreadable(String)
  /// The key may not be certified.
  case keyRefused(String)
  /// The request is signed with something else than SHA-256, SHA-384 or SHA-512.
  case signatureAlgorithmRefused(String)
  /// The signature does not belong to the key: no proof that the sender holds it.
  case signatureInvalid
  /// The request asks for powers that no device gets.
  case asksTooMuch(String)

  public var description: String {
    switch self {
    case .unreadable(let reason), .keyRefused(let reason), .asksTooMuch(let reason): reason
    case .signatureAlgorithmRefused(let name):
      "the request is signed with \(name); sign it with SHA-256, SHA-384 or SHA-512"
    case .signatureInvalid:
      "the request's signature does not verify with the key in it; make the request again with the private key of that key"
    }
  }
}
