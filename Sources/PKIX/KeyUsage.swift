/// The bits of the key usage extension (RFC 5280 section 4.2.1.3).
public struct KeyUsage: OptionSet, Sendable, Hashable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let digitalSignature = KeyUsage(rawValue: 1 << 0)
  public static let nonRepudiation = KeyUsage(rawValue: 1 << 1)
  public static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
  public static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
  public static let keyAgreement = KeyUsage(rawValue: 1 << 4)
  public static let keyCertSign = KeyUsage(rawValue: 1 << 5)
  public static let crlSign = KeyUsage(rawValue: 1 << 6)
  public static let encipherOnly = KeyUsage(rawValue: 1 << 7)
  public static let decipherOnly = KeyUsage(rawValue: 1 << 8)

  /// Reads a BIT STRING's bytes, whose first bit is the highest of the first byte.
  init(bitString bytes: [UInt8]) {
    var value: UInt16 = 0
    for bit in 0..<min(9, bytes.count * 8) where bytes[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 {
      value |= 1 << UInt16(bit)
    }
    rawValue = value
  }
}
