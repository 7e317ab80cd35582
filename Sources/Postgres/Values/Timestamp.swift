/// A `timestamptz`: microseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// `Int64.max` and `Int64.min` are the server's `infinity` and `-infinity`.
struct Timestamp: PostgresValue {
  /// From 1970-01-01 to the server's own epoch, 2000-01-01.
  private static let epoch: Int64 = 946_684_800_000_000

  let microseconds: Int64

  init(_ microseconds: Int64) { self.microseconds = microseconds }

  static var type: ValueType { .timestamptz }
  static var arrayType: ValueType { .timestamptzArray }
  var encodedSize: Int { 8 }

  func encode(into bytes: inout OutputSpan<UInt8>) {
    let (value, overflow) = microseconds.subtractingReportingOverflow(Self.epoch)
    bytes.append(bigEndian: microseconds == .max || overflow ? microseconds : value)
  }

  init?(decoding bytes: Span<UInt8>, type: ValueType) {
    guard bytes.count == 8, let value: Int64 = bytes.integer(at: 0) else { return nil }
    let (microseconds, overflow) = value.addingReportingOverflow(Self.epoch)
    self.microseconds = value == .min || overflow ? value : microseconds
  }
}
