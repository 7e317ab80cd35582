internal import COpenSSL

/// A public key: its SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7) and OpenSSL's parsed form.
///
/// Two keys are equal when their SubjectPublicKeyInfo is the same byte for byte.
///
/// SAFETY: an `EVP_PKEY` is not changed after construction, OpenSSL permits concurrent use of it, and its
/// reference count is atomic.
@safe public final class PublicKey: @unchecked Sendable, Hashable {
  /// What sort of key it is; curves only as named curves with an uncompressed point, the one form everyone reads.
  public enum Kind: Sendable, Hashable {
    case p256, p384, p521, ed25519
    case rsa(bits: Int)
    /// Anything else (DSA, other curves, explicit parameters, compressed points), by OpenSSL's name for it.
    case other(String)
  }

  private let key: OwnedPointer
  /// The DER SubjectPublicKeyInfo.
  public let subjectPublicKeyInfo: [UInt8]
  /// What sort of key it is.
  public let kind: Kind

  /// Parses a DER SubjectPublicKeyInfo; trailing bytes are refused.
  public init(subjectPublicKeyInfo der: [UInt8]) throws(OpenSSLError) {
    key = unsafe try OwnedPointer.make("d2i_PUBKEY", release: EVP_PKEY_free) {
      unsafe der.withUnsafeBufferPointer { buffer in
        // SAFETY: the cursor stays inside the array; the key is given up when bytes are left over.
        var cursor = buffer.baseAddress
        let key = unsafe d2i_PUBKEY(nil, &cursor, buffer.count)
        if unsafe key != nil, unsafe cursor != buffer.baseAddress.map({ unsafe $0 + buffer.count }) {
          unsafe EVP_PKEY_free(key)
          return nil
        }
        return unsafe key
      }
    }
    subjectPublicKeyInfo = der
    kind = unsafe Kind(key.raw, subjectPublicKeyInfo: der)
  }

  /// Takes a reference on an `EVP_PKEY` that others hold too; the SubjectPublicKeyInfo is written afresh.
  public init(retaining pointer: OpaquePointer) throws(OpenSSLError) {
    // SAFETY: the caller's pointer is a live EVP_PKEY; the reference taken here is released by the owner.
    unsafe EVP_PKEY_up_ref(pointer)
    key = unsafe OwnedPointer(pointer, release: EVP_PKEY_free)
    subjectPublicKeyInfo = unsafe try DER.encoded("i2d_PUBKEY") { unsafe i2d_PUBKEY(pointer, $0) }
    kind = unsafe Kind(pointer, subjectPublicKeyInfo: subjectPublicKeyInfo)
  }

  /// The SHA-256 of the SubjectPublicKeyInfo, by which keys are told apart in storage.
  public func fingerprint() throws(OpenSSLError) -> SHA256Digest {
    try SHA256Digest(hashing: subjectPublicKeyInfo)
  }

  /// The key identifier of RFC 5280 section 4.2.1.2 (1): SHA-1 over the key's bits.
  public func keyIdentifier() throws(OpenSSLError) -> [UInt8] { try DigestAlgorithm.sha1.hash(keyBits()) }

  /// The key's own bits, without the algorithm around them: what key identifiers and OCSP hash.
  public func keyBits() throws(OpenSSLError) -> [UInt8] {
    let structure = unsafe try OwnedPointer.make("X509_PUBKEY_set", release: X509_PUBKEY_free) {
      var structure: OpaquePointer?
      return unsafe X509_PUBKEY_set(&structure, key.raw) == 1 ? structure : nil
    }
    // SAFETY: the bits are lent by the structure, which lives until the end of this function.
    var bits: UnsafePointer<UInt8>?
    var length: Int32 = 0
    try OpenSSLCall.positive("X509_PUBKEY_get0_param") {
      unsafe X509_PUBKEY_get0_param(nil, &bits, &length, nil, structure.raw)
    }
    return unsafe [UInt8](UnsafeBufferPointer(start: bits, count: Int(length)))
  }

  /// The public exponent of an RSA key when it fits in 64 bits; nil for others.
  public var rsaExponent: UInt64? {
    var number: OpaquePointer?
    // SAFETY: `number` is a fresh BIGNUM owned and freed here.
    guard OpenSSLCall.quietly({ unsafe EVP_PKEY_get_bn_param(key.raw, OSSL_PKEY_PARAM_RSA_E, &number) }) == 1
    else { return nil }
    defer { unsafe BN_free(number) }
    return unsafe BN_num_bits(number) <= 64 ? UInt64(BN_get_word(number)) : nil
  }

  /// Whether an RSA modulus has two factors so close together that 100 rounds of Fermat's method find them
  /// (CVE-2022-26320); false for other keys.
  public var hasCloseFactors: Bool {
    // SAFETY: the key is alive during the call, which only reads it.
    OpenSSLCall.quietly { unsafe usher_rsa_has_close_factors(key.raw, 100) }
  }

  /// Whether `signature` over `message` was made by this key's private half.
  public func verifies(_ signature: [UInt8], of message: [UInt8], digest: DigestAlgorithm) -> Bool {
    // SAFETY: the context is freed here; every array outlives the call that reads it.
    OpenSSLCall.quietly {
      guard let context = unsafe EVP_MD_CTX_new() else { return false }
      defer { unsafe EVP_MD_CTX_free(context) }
      return unsafe EVP_DigestVerifyInit(context, nil, digest.fetched, nil, key.raw) == 1
        && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
  }

  /// Lends the `EVP_PKEY`; it must not be changed, nor used after `body` returns without a reference of its own.
  public func withUnsafeKey<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(key.raw)
  }

  public static func == (left: PublicKey, right: PublicKey) -> Bool {
    left.subjectPublicKeyInfo == right.subjectPublicKeyInfo
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(subjectPublicKeyInfo) }
}
