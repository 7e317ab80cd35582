internal import COpenSSL

extension PublicKey.Kind {
  /// Tells the kind from the bytes: everything before the point of a named curve is fixed (RFC 5480), so that
  /// explicit parameters and other encodings of the same curve can never pass for it.
  init(_ key: OpaquePointer, subjectPublicKeyInfo: [UInt8]) {
    for (header, length, kind) in Self.fixed
    where subjectPublicKeyInfo.count == length && subjectPublicKeyInfo.starts(with: header) {
      self = kind
      return
    }
    // SAFETY: `key` is alive during this call; the type name is a static string of OpenSSL or of the key.
    if unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA {
      self = unsafe .rsa(bits: Int(EVP_PKEY_get_bits(key)))
    } else {
      self = unsafe .other(EVP_PKEY_get0_type_name(key).map { unsafe String(cString: $0) } ?? "unknown")
    }
  }

  private static let fixed: [(header: [UInt8], length: Int, kind: PublicKey.Kind)] = [
    (
      [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
        0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
      ], 91, .p256
    ),
    (
      [
        0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x05, 0x2b, 0x81,
        0x04, 0x00, 0x22, 0x03, 0x62, 0x00, 0x04,
      ], 120, .p384
    ),
    (
      [
        0x30, 0x81, 0x9b, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x05, 0x2b,
        0x81, 0x04, 0x00, 0x23, 0x03, 0x81, 0x86, 0x00, 0x04,
      ], 158, .p521
    ),
    ([0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00], 44, .ed25519),
  ]
}

extension PublicKey.Kind: CustomStringConvertible {
  public var description: String {
    switch self {
    case .p256: "P-256"
    case .p384: "P-384"
    case .p521: "P-521"
    case .ed25519: "Ed25519"
    case .rsa(let bits): "RSA-\(bits)"
    case .other(let name): name
    }
  }
}
