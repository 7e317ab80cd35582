public import Cryptography

/// Which public keys Usher certifies: P-256 and P-384, and RSA of 2048 to 4096 bits.
public enum KeyPolicy {
  /// Why `key` is refused, with what to do instead; nil when it is welcome.
  public static func objection(to key: PublicKey) -> String? {
    if let objection = objection(toKindOf: key) { return objection }
    guard case .rsa(let bits) = key.kind else { return nil }
    if bits < 2048 { return "the RSA key has \(bits) bits; use P-256, or RSA of at least 2048 bits" }
    if bits > 4096 { return "the RSA key has \(bits) bits; use at most 4096" }
    if bits % 8 != 0 { return "the RSA key has \(bits) bits, which is no multiple of 8" }
    guard let exponent = key.rsaExponent, exponent >= 65537, exponent % 2 == 1 else {
      return "the RSA key's public exponent must be odd and 65537 or more (and fit in 64 bits)"
    }
    if key.hasCloseFactors {
      return
        "the RSA key is weak: its two primes lie so close together that anyone can find them; make a new key with another program"
    }
    return nil
  }

  /// The same of what sort of key it is, before any arithmetic with it.
  static func objection(toKindOf key: PublicKey) -> String? {
    switch key.kind {
    case .p256, .p384, .rsa: nil
    case .p521, .ed25519: "keys of kind \(key.kind) are not accepted; use P-256"
    case .other("EC"):
      "the key must lie on the named curve P-256 or P-384, with an uncompressed point and no explicit parameters"
    case .other(let name): "keys of kind \(name) are not accepted; use P-256"
    }
  }
}
