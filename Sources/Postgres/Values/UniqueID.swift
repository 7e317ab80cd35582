/// A `uuid` as its two halves, most significant first.
public typealias UUIDHalves = (high: UInt64, low: UInt64)

struct UniqueID: PostgresValue {
  let high: UInt64
  let low: UInt64

  init(_ halves: UUIDHalves) { (high, low) = halves }
  var halves: UUIDHalves { (high, low) }

  static var type: ValueType { .uuid }
  static var arrayType: ValueType { .uuidArray }
  var encodedSize: Int { 16 }

  func encode(into bytes: inout OutputSpan<UInt8>) {
    bytes.append(bigEndian: high)
    bytes.append(bigEndian: low)
  }

  init?(decoding bytes: Span<UInt8>, type: ValueType) {
    guard bytes.count == 16, let high: UInt64 = bytes.integer(at: 0), let low: UInt64 = bytes.integer(at: 8)
    else { return nil }
    self.init((high, low))
  }
}

/// JSON text as the `jsonb` parameter that it becomes.
struct JSONText: PostgresValue {
  let text: [UInt8]

  static var type: ValueType { .jsonb }
  static var arrayType: ValueType { .jsonbArray }
  var encodedSize: Int { text.count + 1 }

  func encode(into bytes: inout OutputSpan<UInt8>) {
    bytes.append(1)
    text.encode(into: &bytes)
  }

  init(_ text: [UInt8]) { self.text = text }

  init?(decoding bytes: Span<UInt8>, type: ValueType) {
    guard let text = [UInt8](decoding: bytes, type: type) else { return nil }
    self.text = text
  }
}
