extension Int64: PostgresValue {
  public static var type: ValueType { .int8 }
  public static var arrayType: ValueType { .int8Array }
  public static func reads(_ type: ValueType) -> Bool { type == .int8 || Int32.reads(type) }
  public var encodedSize: Int { 8 }
  public func encode(into bytes: inout OutputSpan<UInt8>) { bytes.append(bigEndian: self) }

  /// Narrower integers widen: `count` is an int8, `cardinality` an int4.
  public init?(decoding bytes: Span<UInt8>, type: ValueType) {
    if type == .int8 {
      guard bytes.count == 8, let value: Int64 = bytes.integer(at: 0) else { return nil }
      self = value
    } else {
      guard let value = Int32(decoding: bytes, type: type) else { return nil }
      self = Int64(value)
    }
  }
}

extension Int32: PostgresValue {
  public static var type: ValueType { .int4 }
  public static var arrayType: ValueType { .int4Array }
  public static func reads(_ type: ValueType) -> Bool { type == .int4 || type == .int2 }
  public var encodedSize: Int { 4 }
  public func encode(into bytes: inout OutputSpan<UInt8>) { bytes.append(bigEndian: self) }

  public init?(decoding bytes: Span<UInt8>, type: ValueType) {
    if type == .int4 {
      guard bytes.count == 4, let value: Int32 = bytes.integer(at: 0) else { return nil }
      self = value
    } else {
      guard let value = Int16(decoding: bytes, type: type) else { return nil }
      self = Int32(value)
    }
  }
}

extension Int16: PostgresValue {
  public static var type: ValueType { .int2 }
  public static var arrayType: ValueType { .int2Array }
  public var encodedSize: Int { 2 }
  public func encode(into bytes: inout OutputSpan<UInt8>) { bytes.append(bigEndian: self) }

  public init?(decoding bytes: Span<UInt8>, type: ValueType) {
    guard bytes.count == 2, let value: Int16 = bytes.integer(at: 0) else { return nil }
    self = value
  }
}

extension Bool: PostgresValue {
  public static var type: ValueType { .bool }
  public static var arrayType: ValueType { .boolArray }
  public var encodedSize: Int { 1 }
  public func encode(into bytes: inout OutputSpan<UInt8>) { bytes.append(self ? 1 : 0) }

  public init?(decoding bytes: Span<UInt8>, type: ValueType) {
    guard bytes.count == 1 else { return nil }
    self = bytes[0] != 0
  }
}

extension Double: PostgresValue {
  public static var type: ValueType { .float8 }
  public static var arrayType: ValueType { .float8Array }
  public var encodedSize: Int { 8 }
  public func encode(into bytes: inout OutputSpan<UInt8>) { bytes.append(bigEndian: bitPattern) }

  public init?(decoding bytes: Span<UInt8>, type: ValueType) {
    guard bytes.count == 8, let bits: UInt64 = bytes.integer(at: 0) else { return nil }
    self.init(bitPattern: bits)
  }
}
