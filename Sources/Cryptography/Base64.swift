/// Base64 and base64url (RFC 4648), read strictly: no character outside the alphabet, no stray bits, no missing padding.
public enum Base64 {
  /// Standard alphabet with padding.
  public static func encode(_ bytes: [UInt8]) -> String {
    encode(bytes, alphabet: standard, padded: true)
  }

  /// The URL-safe alphabet without padding, the form of tokens.
  public static func encodeURL(_ bytes: [UInt8]) -> String {
    encode(bytes, alphabet: urlSafe, padded: false)
  }

  /// Reads standard base64 with its padding; nil for anything else, white space included.
  public static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var characters = Array(text)
    guard characters.count.isMultiple(of: 4) else { return nil }
    for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
    return decode(characters, values: standardValues)
  }

  /// Reads standard base64 from text.
  public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

  /// Reads base64url without padding; nil for anything else.
  public static func decodeURL(_ text: String) -> [UInt8]? { decode(Array(text.utf8), values: urlSafeValues) }

  private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let urlSafe = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let standardValues = values(standard)
  private static let urlSafeValues = values(urlSafe)

  /// The value of each character, 255 for those that have none.
  private static func values(_ alphabet: [UInt8]) -> [UInt8] {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }

  private static func encode(_ bytes: [UInt8], alphabet: [UInt8], padded: Bool) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0 as UInt32) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for index in 0...group.count { text.append(alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)]) }
      if padded { text += [UInt8](repeating: UInt8(ascii: "="), count: 3 - group.count) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func decode(_ characters: [UInt8], values: [UInt8]) -> [UInt8]? {
    guard characters.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count * 3 / 4)
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for character in characters {
      let value = values[Int(character)]
      guard value != 255 else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        bits &= (1 << count) - 1
      }
    }
    return bits == 0 ? bytes : nil
  }
}
