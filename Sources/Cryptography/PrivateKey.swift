internal import COpenSSL

/// A private key in this process's memory. It prints as `<redacted>` and leaves only by `secretPEM` and `secretDER`.
///
/// SAFETY: an `EVP_PKEY` is not changed after construction, OpenSSL permits concurrent use of it, and its
/// reference count is atomic.
@safe public final class PrivateKey: @unchecked Sendable, Signer, CustomStringConvertible {
  private let key: OwnedPointer
  /// The public half.
  public let publicKey: PublicKey
  /// How this key signs, by its kind.
  public let signatureAlgorithm: SignatureAlgorithm

  /// Makes a new key. RSA-4096 can take seconds: call it off the event loops.
  public convenience init(generating type: KeyType) throws(OpenSSLError) {
    self.init(try Self.adopt(try Self.generate(type)))
  }

  /// Reads an unencrypted PEM key (PKCS#8, PKCS#1 or SEC 1); an encrypted one fails without asking for a passphrase.
  public convenience init(pem: [UInt8]) throws(OpenSSLError) {
    let key = unsafe try OwnedPointer.make("PEM_read_bio_PrivateKey", release: EVP_PKEY_free) {
      // SAFETY: the BIO reads the array in place and is freed before the array.
      unsafe pem.withUnsafeBytes { buffer in
        guard let bio = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else {
          return nil
        }
        defer { unsafe BIO_free(bio) }
        return unsafe PEM_read_bio_PrivateKey(bio, nil, refusePassphrase, nil)
      }
    }
    self.init(try Self.adopt(key))
  }

  /// Reads a DER key (PKCS#8, PKCS#1 or SEC 1).
  public convenience init(der: borrowing SecretBytes) throws(OpenSSLError) {
    let key = unsafe try der.withBytes { buffer throws(OpenSSLError) -> OwnedPointer in
      unsafe try OwnedPointer.make("d2i_AutoPrivateKey", release: EVP_PKEY_free) {
        // SAFETY: the cursor stays inside the buffer. OpenSSL wipes the numbers of a key that it frees.
        var cursor = buffer.baseAddress
        return unsafe d2i_AutoPrivateKey(nil, &cursor, buffer.count)
      }
    }
    self.init(try Self.adopt(key))
  }

  /// Takes over a key that another program or device may hold in truth.
  convenience init(adopting key: consuming OwnedPointer) throws(OpenSSLError) {
    self.init(try Self.adopt(key))
  }

  private init(_ parts: consuming Parts) {
    publicKey = parts.publicKey
    signatureAlgorithm = parts.signatureAlgorithm
    key = parts.key
  }

  /// Signs `message` with the key's own hash.
  public func sign(_ message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
    let context = unsafe try OwnedPointer.make("EVP_MD_CTX_new", release: EVP_MD_CTX_free) {
      unsafe EVP_MD_CTX_new()
    }
    // SAFETY: context and key are alive; the first EVP_DigestSign asks for a bound, the second stays below it.
    try OpenSSLCall.positive("EVP_DigestSignInit") {
      unsafe EVP_DigestSignInit(context.raw, nil, signatureAlgorithm.digest.fetched, nil, key.raw)
    }
    var length = 0
    try OpenSSLCall.positive("EVP_DigestSign") {
      unsafe EVP_DigestSign(context.raw, nil, &length, message, message.count)
    }
    var signature = [UInt8](repeating: 0, count: length)
    try OpenSSLCall.positive("EVP_DigestSign") {
      unsafe EVP_DigestSign(context.raw, &signature, &length, message, message.count)
    }
    signature.removeLast(signature.count - length)
    return signature
  }

  /// The key in the clear as PKCS#8 PEM: only for a file of mode 0600.
  public func secretPEM() throws(OpenSSLError) -> [UInt8] {
    let bio = unsafe try OwnedPointer.make("BIO_new", release: BIO_free_all) {
      unsafe BIO_new(BIO_s_secmem())
    }
    // SAFETY: BIO and key are alive; the BIO's memory is copied before it is freed (and wiped).
    try OpenSSLCall.positive("PEM_write_bio_PKCS8PrivateKey") {
      unsafe PEM_write_bio_PKCS8PrivateKey(bio.raw, key.raw, nil, nil, 0, nil, nil)
    }
    return unsafe MemoryBIO.contents(bio.raw)
  }

  /// The key in the clear as DER: only to be sealed at once (`SealingKey`).
  public func secretDER() throws(OpenSSLError) -> SecretBytes {
    let length = try OpenSSLCall.positive("i2d_PrivateKey") { unsafe i2d_PrivateKey(key.raw, nil) }
    let bytes = SecretBytes(count: Int(length))
    // SAFETY: the buffer has the length that OpenSSL just asked for.
    unsafe try bytes.withMutableBytes { buffer throws(OpenSSLError) in
      var cursor = buffer.baseAddress
      _ = try OpenSSLCall.positive("i2d_PrivateKey") { unsafe i2d_PrivateKey(key.raw, &cursor) }
    }
    return bytes
  }

  /// Lends the `EVP_PKEY` (for `SSL_CTX_use_PrivateKey`, which takes a reference of its own); it must not be changed.
  public func withUnsafeKey<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(key.raw)
  }

  public var description: String { "<redacted>" }
}

extension PrivateKey {
  /// What a key is made of before it is one: a throwing step cannot leave a half-made object.
  private struct Parts: ~Copyable {
    let key: OwnedPointer
    let publicKey: PublicKey
    let signatureAlgorithm: SignatureAlgorithm
  }

  private static func adopt(_ key: consuming OwnedPointer) throws(OpenSSLError) -> Parts {
    let publicKey = unsafe try PublicKey(retaining: key.raw)
    guard let algorithm = SignatureAlgorithm(for: publicKey.kind) else {
      throw OpenSSLError(operation: "a private key of kind \(publicKey.kind) is not supported")
    }
    return Parts(key: key, publicKey: publicKey, signatureAlgorithm: algorithm)
  }

  private static func generate(_ type: KeyType) throws(OpenSSLError) -> OwnedPointer {
    switch type {
    case .p256: unsafe try generate("EC") { unsafe EVP_PKEY_CTX_set_group_name($0, "P-256") }
    case .p384: unsafe try generate("EC") { unsafe EVP_PKEY_CTX_set_group_name($0, "P-384") }
    case .rsa2048: unsafe try generate("RSA") { unsafe EVP_PKEY_CTX_set_rsa_keygen_bits($0, 2048) }
    case .rsa3072: unsafe try generate("RSA") { unsafe EVP_PKEY_CTX_set_rsa_keygen_bits($0, 3072) }
    case .rsa4096: unsafe try generate("RSA") { unsafe EVP_PKEY_CTX_set_rsa_keygen_bits($0, 4096) }
    }
  }

  private static func generate(
    _ algorithm: String, _ configure: (OpaquePointer) -> Int32
  ) throws(OpenSSLError) -> OwnedPointer {
    // SAFETY: the context outlives every call; the generated key is owned by what is returned.
    let context = unsafe try OwnedPointer.make("EVP_PKEY_CTX_new_from_name", release: EVP_PKEY_CTX_free) {
      unsafe EVP_PKEY_CTX_new_from_name(nil, algorithm, nil)
    }
    try OpenSSLCall.positive("EVP_PKEY_keygen_init") { unsafe EVP_PKEY_keygen_init(context.raw) }
    try OpenSSLCall.positive("EVP_PKEY_CTX_set_params") { unsafe configure(context.raw) }
    return unsafe try OwnedPointer.make("EVP_PKEY_generate", release: EVP_PKEY_free) {
      var key: OpaquePointer?
      return unsafe EVP_PKEY_generate(context.raw, &key) == 1 ? key : nil
    }
  }
}

/// OpenSSL would otherwise ask for a passphrase on the terminal.
private func refusePassphrase(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ writing: Int32, _ context: UnsafeMutableRawPointer?
) -> Int32 { -1 }
