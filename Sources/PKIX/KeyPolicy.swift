public import Cryptography

/// Which public keys Usher certifies: P-256 and P-384, and RSA of 2048 to 4096 bits.
public enum KeyPolicy {
  /// Why `key` is refused, with what to do instead; nil when it is welcome.
  public static func objection(to key: PublicKey) -> String? {
    switch key.kind {
    case .p256, .p384: nil
    case .rsa(let bits) where bits < 2048:
      "the RSA key has \(bits) bits; use P-256, or RSA of at least 2048 bits"
    case .rsa(let bits) where bits > 4096: "the RSA key has \(bits) bits; use at most 4096"
    case .rsa(let bits) where bits % 8 != 0: "the RSA key has \(bits) bits, which is no multiple of 8"
    case .rsa:
      if let exponent = key.rsaExponent, exponent >= 65537, exponent % 2 == 1 {
        nil
      } else {
        "the RSA key's public exponent must be odd and 65537 or more (and fit in 64 bits)"
      }
    case .p521, .ed25519: "keys of kind \(key.kind) are not accepted; use P-256"
    case .other("EC"):
      "the key must lie on the named curve P-256 or P-384, with an uncompressed point and no explicit parameters"
    case .other(let name): "keys of kind \(name) are not accepted; use P-256"
    }
  }
}
