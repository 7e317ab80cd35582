/// A Swift type with a binary form on the wire (the server's `…send` and `…recv` functions; PostgreSQL manual, §55.2.3).
public protocol PostgresValue: Sendable {
  /// The server's type of a parameter.
  static var type: ValueType { get }
  /// The server's type of an array of them.
  static var arrayType: ValueType { get }
  /// Whether a column of that type may be read as this one.
  static func reads(_ type: ValueType) -> Bool

  /// How many bytes `encode` appends.
  var encodedSize: Int { get }
  func encode(into bytes: inout OutputSpan<UInt8>)
  /// Reads the binary form; nil when the bytes are not one.
  init?(decoding bytes: Span<UInt8>, type: ValueType)
}

extension PostgresValue {
  public static func reads(_ type: ValueType) -> Bool { type == Self.type }
}

extension OutputSpan<UInt8> {
  /// Appends an integer in network byte order.
  mutating func append<Integer: FixedWidthInteger>(bigEndian integer: Integer) {
    var shift = Integer.bitWidth - 8
    while shift >= 0 {
      append(UInt8(truncatingIfNeeded: integer >> Integer(truncatingIfNeeded: shift)))
      shift -= 8
    }
  }
}

extension Span<UInt8> {
  /// The integer in network byte order at `offset`; nil when there are fewer bytes.
  func integer<Integer: FixedWidthInteger>(at offset: Int, as: Integer.Type = Integer.self) -> Integer? {
    let size = Integer.bitWidth / 8
    guard offset >= 0, count - offset >= size else { return nil }
    var value: Integer = 0
    for index in offset..<offset + size { value = value << 8 | Integer(truncatingIfNeeded: self[index]) }
    return value
  }
}
