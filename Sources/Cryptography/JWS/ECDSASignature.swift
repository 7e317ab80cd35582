/// The two forms of a P-256 signature: DER, as X.509 and OpenSSL have it, and `r || s` in 64 bytes, as JOSE has it
/// (RFC 7518 section 3.4).
enum ECDSASignature {
  private static let half = 32

  /// `r || s`; nil for what is no signature of two numbers that fit.
  static func raw(der: [UInt8]) -> [UInt8]? {
    // SEQUENCE of two INTEGERs; with P-256 every length fits into one byte.
    guard der.count > 2, der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
    var rest = der.dropFirst(2)
    var raw: [UInt8] = []
    for _ in 0..<2 {
      guard rest.count > 2, rest.popFirst() == 0x02, let length = rest.popFirst(), rest.count >= Int(length)
      else { return nil }
      let number = rest.prefix(Int(length)).drop { $0 == 0 }
      rest = rest.dropFirst(Int(length))
      guard number.count <= half else { return nil }
      raw += [UInt8](repeating: 0, count: half - number.count) + number
    }
    return rest.isEmpty ? raw : nil
  }

  /// DER; nil unless there are 64 bytes.
  static func der(raw: [UInt8]) -> [UInt8]? {
    guard raw.count == 2 * half else { return nil }
    let numbers = integer(raw.prefix(half)) + integer(raw.suffix(half))
    return [0x30, UInt8(numbers.count)] + numbers
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var number = Array(bytes.drop { $0 == 0 })
    // Positive: the first bit is the sign.
    if number.first.map({ $0 >= 0x80 }) ?? true { number.insert(0, at: 0) }
    return [0x02, UInt8(number.count)] + number
  }
}
