/// A public key as JOSE has it (RFC 7517), with the members that its kind requires and no others.
public struct JSONWebKey: Sendable, Hashable {
  /// In the order of their names, as RFC 7638 section 3 hashes them; no value needs escaping.
  private let members: [[String]]

  /// Nil for kinds of keys that have no form there.
  public init?(_ key: PublicKey) throws(OpenSSLError) {
    let bits = try key.keyBits()
    switch key.kind {
    case .p256: members = Self.elliptic("P-256", bits)
    case .p384: members = Self.elliptic("P-384", bits)
    case .p521: members = Self.elliptic("P-521", bits)
    case .ed25519: members = [["crv", "Ed25519"], ["kty", "OKP"], ["x", Base64.encodeURL(bits)]]
    case .rsa:
      guard let (modulus, exponent) = Self.numbers(ofRSA: bits) else { return nil }
      members = [["e", Base64.encodeURL(exponent)], ["kty", "RSA"], ["n", Base64.encodeURL(modulus)]]
    case .other: return nil
    }
  }

  /// The JSON object without white space.
  public var json: String {
    "{" + members.map { "\"\($0[0])\":\"\($0[1])\"" }.joined(separator: ",") + "}"
  }

  /// The thumbprint of RFC 7638: SHA-256 of the object, in base64url.
  public func thumbprint() throws(OpenSSLError) -> String {
    Base64.encodeURL(try SHA256Digest(hashing: Array(json.utf8)).bytes)
  }

  /// The point is uncompressed: 4, x, y.
  private static func elliptic(_ curve: String, _ point: [UInt8]) -> [[String]] {
    let half = (point.count - 1) / 2
    return [
      ["crv", curve], ["kty", "EC"], ["x", Base64.encodeURL(Array(point[1..<1 + half]))],
      ["y", Base64.encodeURL(Array(point[(1 + half)...]))],
    ]
  }

  /// Modulus and exponent of an `RSAPublicKey` (RFC 8017 appendix A.1.1).
  private static func numbers(ofRSA der: [UInt8]) -> (modulus: [UInt8], exponent: [UInt8])? {
    var rest = der[...]
    guard var numbers = value(tagged: 0x30, &rest), let modulus = value(tagged: 0x02, &numbers),
      let exponent = value(tagged: 0x02, &numbers)
    else { return nil }
    return (Array(modulus.drop { $0 == 0 }), Array(exponent.drop { $0 == 0 }))
  }

  private static func value(tagged tag: UInt8, _ der: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard der.popFirst() == tag, var length = der.popFirst().map(Int.init) else { return nil }
    if length > 0x80 {
      let digits = length - 0x80
      guard digits <= 3, der.count >= digits else { return nil }
      length = der.prefix(digits).reduce(0) { $0 << 8 | Int($1) }
      der = der.dropFirst(digits)
    }
    guard length <= der.count else { return nil }
    defer { der = der.dropFirst(length) }
    return der.prefix(length)
  }
}

extension PublicKey {
  /// The P-256 key with these coordinates, 32 bytes each; nil when no point of the curve has them.
  public convenience init?(p256X x: [UInt8], y: [UInt8]) {
    guard x.count == 32, y.count == 32 else { return nil }
    // SubjectPublicKeyInfo of a named curve with an uncompressed point (RFC 5480 section 2).
    let head: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
      0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]
    try? self.init(subjectPublicKeyInfo: head + x + y)
  }
}
