internal import COpenSSL

/// A hash function that signatures, key identifiers and fingerprints use.
public enum DigestAlgorithm: Sendable, Hashable {
  /// Only for key identifiers (RFC 5280 section 4.2.1.2); never for a signature.
  case sha1
  case sha256, sha384, sha512

  /// The digest of `message`.
  public func hash(_ message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: length)
    try OpenSSLCall.positive("EVP_Digest") {
      // SAFETY: `digest` has the algorithm's length, and both arrays outlive the call.
      unsafe EVP_Digest(message, message.count, &digest, nil, fetched, nil)
    }
    return digest
  }

  /// Bytes in a digest.
  public var length: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// The `EVP_MD` fetched once for the life of the process (an implicit fetch at every call is slow in OpenSSL 3.0).
  package var fetched: OpaquePointer? {
    switch self {
    case .sha1: unsafe FetchedDigest.sha1.raw
    case .sha256: unsafe FetchedDigest.sha256.raw
    case .sha384: unsafe FetchedDigest.sha384.raw
    case .sha512: unsafe FetchedDigest.sha512.raw
    }
  }
}

/// SAFETY: an `EVP_MD` is immutable after it is fetched, and these live as long as the process.
@safe private struct FetchedDigest: @unchecked Sendable {
  let raw: OpaquePointer?

  init(_ name: StaticString) { unsafe raw = EVP_MD_fetch(nil, "\(name)", nil) }

  static let sha1 = FetchedDigest("SHA1")
  static let sha256 = FetchedDigest("SHA256")
  static let sha384 = FetchedDigest("SHA384")
  static let sha512 = FetchedDigest("SHA512")
}
