internal import COpenSSL

/// The key under which secrets are sealed at rest: AES-256-GCM (NIST SP 800-38D), each with a nonce of its own.
///
/// What is sealed for one place (the authenticated bytes) opens in no other.
public struct SealingKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  private static let keyBytes = 32
  private static let nonceBytes = 12
  private static let tagBytes = 16
  /// Says how the rest is made, so that a later way can be told from this one.
  private static let version: UInt8 = 1

  private let key: [UInt8]
  /// The first eight bytes of the key's SHA-256 in hexadecimal: which key sealed a value, and nothing about the key.
  public let id: String

  /// Takes over a key of exactly 32 bytes; nil for any other length.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.keyBytes, let digest = try? SHA256Digest(hashing: bytes) else { return nil }
    key = bytes
    id = String(digest.hexadecimal.prefix(16))
  }

  /// Reads the text of a key file: 64 hexadecimal digits or the base64 of 32 bytes, white space around it ignored.
  public init?(text: [UInt8]) {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let trimmed = Array(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    let digits = String(decoding: trimmed, as: UTF8.self)
    guard let bytes = Hexadecimal.decode(digits) ?? Base64.decode(trimmed) else { return nil }
    self.init(bytes: bytes)
  }

  /// A new random key as the text of a key file, for whoever sets up a server.
  public static func makeText() throws(OpenSSLError) -> [UInt8] {
    Array((Hexadecimal.encode(try RandomBytes.make(keyBytes)) + "\n").utf8)
  }

  /// Whether this key sealed it, by what it says of itself.
  public func hasSealed(_ sealed: [UInt8]) -> Bool { sealed.starts(with: header) }

  /// Encrypts `secret`; the result is version, id of the key, nonce, ciphertext and tag.
  public func seal(
    _ secret: borrowing SecretBytes, authenticating place: [UInt8]
  ) throws(OpenSSLError) -> [UInt8] {
    let nonce = try RandomBytes.make(Self.nonceBytes)
    let header = header
    let context = try Self.makeContext()
    var sealed = [UInt8](repeating: 0, count: secret.count)
    var tag = [UInt8](repeating: 0, count: Self.tagBytes)
    var written: Int32 = 0
    try OpenSSLCall.positive("EVP_EncryptInit_ex") {
      // SAFETY: key and nonce have the lengths that AES-256-GCM reads; the context is alive.
      unsafe EVP_EncryptInit_ex(context.raw, EVP_aes_256_gcm(), nil, key, nonce)
    }
    for part in [header, place] {
      try OpenSSLCall.positive("EVP_EncryptUpdate") {
        unsafe EVP_EncryptUpdate(context.raw, nil, &written, part, Int32(clamping: part.count))
      }
    }
    // SAFETY: GCM writes as many bytes as it reads, and the secret is lent for the call.
    unsafe try secret.withBytes { secret throws(OpenSSLError) in
      _ = try OpenSSLCall.positive("EVP_EncryptUpdate") {
        unsafe EVP_EncryptUpdate(
          context.raw, &sealed, &written, secret.baseAddress, Int32(clamping: secret.count))
      }
    }
    try OpenSSLCall.positive("EVP_EncryptFinal_ex") { unsafe EVP_EncryptFinal_ex(context.raw, nil, &written) }
    try OpenSSLCall.positive("EVP_CIPHER_CTX_ctrl") {
      unsafe EVP_CIPHER_CTX_ctrl(context.raw, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagBytes), &tag)
    }
    return header + nonce + sealed + tag
  }

  /// Decrypts what `seal` made for the same place under the same key; throws for anything else.
  public func open(_ sealed: [UInt8], authenticating place: [UInt8]) throws(OpenSSLError) -> SecretBytes {
    let header = header
    guard sealed.count >= header.count + Self.nonceBytes + Self.tagBytes, sealed.starts(with: header) else {
      throw OpenSSLError(operation: "opening a sealed secret: it was sealed under another key than \(id)")
    }
    let nonce = Array(sealed[header.count...].prefix(Self.nonceBytes))
    let body = Array(sealed[(header.count + Self.nonceBytes)...].dropLast(Self.tagBytes))
    var tag = Array(sealed.suffix(Self.tagBytes))
    let context = try Self.makeContext()
    let secret = SecretBytes(count: body.count)
    var written: Int32 = 0
    try OpenSSLCall.positive("EVP_DecryptInit_ex") {
      // SAFETY: key and nonce have the lengths that AES-256-GCM reads; the context is alive.
      unsafe EVP_DecryptInit_ex(context.raw, EVP_aes_256_gcm(), nil, key, nonce)
    }
    for part in [header, place] {
      try OpenSSLCall.positive("EVP_DecryptUpdate") {
        unsafe EVP_DecryptUpdate(context.raw, nil, &written, part, Int32(clamping: part.count))
      }
    }
    // SAFETY: GCM writes as many bytes as it reads; what it wrote is wiped when it proves to be forged.
    unsafe try secret.withMutableBytes { secret throws(OpenSSLError) in
      _ = try OpenSSLCall.positive("EVP_DecryptUpdate") {
        unsafe EVP_DecryptUpdate(context.raw, secret.baseAddress, &written, body, Int32(clamping: body.count))
      }
    }
    try OpenSSLCall.positive("EVP_CIPHER_CTX_ctrl") {
      unsafe EVP_CIPHER_CTX_ctrl(context.raw, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagBytes), &tag)
    }
    try OpenSSLCall.positive("opening a sealed secret") {
      unsafe EVP_DecryptFinal_ex(context.raw, nil, &written)
    }
    return secret
  }

  public var description: String { "<redacted>" }
  public var debugDescription: String { "<redacted>" }

  private var header: [UInt8] { [Self.version] + (Hexadecimal.decode(id) ?? []) }

  private static func makeContext() throws(OpenSSLError) -> OwnedPointer {
    unsafe try OwnedPointer.make("EVP_CIPHER_CTX_new", release: EVP_CIPHER_CTX_free) {
      unsafe EVP_CIPHER_CTX_new()
    }
  }
}
