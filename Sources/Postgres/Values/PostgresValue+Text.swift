extension String: PostgresValue {
  public static var type: ValueType { .text }
  public static var arrayType: ValueType { .textArray }
  public var encodedSize: Int { utf8.count }

  public func encode(into bytes: inout OutputSpan<UInt8>) {
    for byte in utf8 { bytes.append(byte) }
  }

  /// Text in all its names, JSON as it is written, and enumerations.
  public static func reads(_ type: ValueType) -> Bool {
    type == .text || type == .varchar || type == .bpchar || type == .name || type == .json || type == .jsonb
      || type == .unknown || type.isUserDefined
  }

  public init?(decoding bytes: Span<UInt8>, type: ValueType) {
    guard let start = bytes.textStart(of: type),
      let value = try? UTF8Span(validating: bytes.extracting(start...))
    else { return nil }
    self.init(copying: value)
  }
}

extension Array: PostgresValue where Element == UInt8 {
  public static var type: ValueType { .bytea }
  public static var arrayType: ValueType { .byteaArray }
  public var encodedSize: Int { count }

  public func encode(into bytes: inout OutputSpan<UInt8>) {
    for byte in self { bytes.append(byte) }
  }

  /// Besides `bytea` the text of JSON, for whoever parses bytes.
  public static func reads(_ type: ValueType) -> Bool { type == .bytea || type == .json || type == .jsonb }

  public init?(decoding bytes: Span<UInt8>, type: ValueType) {
    guard let start = bytes.textStart(of: type) else { return nil }
    self.init(capacity: bytes.count - start) { output in
      for index in start..<bytes.count { output.append(bytes[index]) }
    }
  }
}

extension Span<UInt8> {
  /// Where the content begins: behind the version byte of `jsonb` (nil when that is not 1), else at 0.
  fileprivate func textStart(of type: ValueType) -> Int? {
    guard type == .jsonb else { return 0 }
    return count > 0 && self[0] == 1 ? 1 : nil
  }
}
