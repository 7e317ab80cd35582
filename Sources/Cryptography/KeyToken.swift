internal import COpenSSL

/// A PKCS#11 token, such as an HSM: keys in it sign, and never leave it.
///
/// It is reached through OpenSSL's engine `pkcs11` (Debian: libengine-pkcs11-openssl), which OpenSSL 3.0 has in place of
/// a provider. One process opens one token, once.
///
/// SAFETY: the engine is used under the lock only; OpenSSL counts the references that keys hold on it.
@safe public final class KeyToken: @unchecked Sendable {
  private let token: OwnedPointer
  private let lock: OwnedPointer

  /// Loads the token's module (a path) and keeps the PIN for logging in; the PIN is on no command line.
  public init(module: String, pin: borrowing SecretBytes) throws(OpenSSLError) {
    lock = unsafe try OwnedPointer.make("CRYPTO_THREAD_lock_new", release: releaseLock) {
      unsafe OpaquePointer(CRYPTO_THREAD_lock_new())
    }
    // A C string ends with a zero, and is wiped too.
    let text = SecretBytes(count: pin.count + 1)
    unsafe text.withMutableBytes { text in
      unsafe pin.withBytes { unsafe _ = text.update(fromContentsOf: $0) }
    }
    token = unsafe try text.withBytes { text throws(OpenSSLError) -> OwnedPointer in
      unsafe try OwnedPointer.make("loading the PKCS#11 module", release: usher_token_close) {
        // SAFETY: both strings end with a zero and outlive the call; the engine keeps copies.
        unsafe text.withMemoryRebound(to: CChar.self) { unsafe usher_token_open(module, $0.baseAddress) }
      }
    }
  }

  /// The signer of the key that a PKCS#11 URI (RFC 7512) names.
  public func signer(_ uri: String) throws(OpenSSLError) -> any Signer {
    let key = try exclusively { () throws(OpenSSLError) in
      try PrivateKey(
        adopting: unsafe OwnedPointer.make("finding the key in the token", release: EVP_PKEY_free) {
          unsafe usher_token_key(token.raw, uri)
        })
    }
    return TokenKey(key: key, token: self)
  }

  /// The engine's sessions are not made for several threads at once.
  fileprivate func exclusively<Result: Sendable>(
    _ body: () throws(OpenSSLError) -> Result
  ) throws(OpenSSLError) -> Result {
    // SAFETY: the lock lives as long as this object.
    unsafe CRYPTO_THREAD_write_lock(UnsafeMutableRawPointer(lock.raw))
    defer { unsafe CRYPTO_THREAD_unlock(UnsafeMutableRawPointer(lock.raw)) }
    return try body()
  }
}

private func releaseLock(_ lock: OpaquePointer?) {
  unsafe CRYPTO_THREAD_lock_free(UnsafeMutableRawPointer(lock))
}

/// A key that stays in its token.
private final class TokenKey: Signer {
  private let key: PrivateKey
  private let token: KeyToken

  init(key: PrivateKey, token: KeyToken) {
    self.key = key
    self.token = token
  }

  var publicKey: PublicKey { key.publicKey }
  var signatureAlgorithm: SignatureAlgorithm { key.signatureAlgorithm }

  func sign(_ message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
    try token.exclusively { () throws(OpenSSLError) in try key.sign(message) }
  }
}
