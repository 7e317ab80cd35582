extension Columns {
  public func int16Array(_ column: Int) throws(PostgresError) -> [Int16] { try array(column) }
  public func int32Array(_ column: Int) throws(PostgresError) -> [Int32] { try array(column) }
  public func int64Array(_ column: Int) throws(PostgresError) -> [Int64] { try array(column) }
  public func stringArray(_ column: Int) throws(PostgresError) -> [String] { try array(column) }
  public func bytesArray(_ column: Int) throws(PostgresError) -> [[UInt8]] { try array(column) }
  /// Microseconds since 1970.
  public func timestampArray(_ column: Int) throws(PostgresError) -> [Int64] {
    try array(column, of: Timestamp.self).map(\.microseconds)
  }
  public func uuidArray(_ column: Int) throws(PostgresError) -> [UUIDHalves] {
    try array(column, of: UniqueID.self).map(\.halves)
  }

  /// Reads an array of one dimension without NULLs in it.
  public func array<Value: PostgresValue>(
    _ column: Int, of: Value.Type = Value.self
  ) throws(PostgresError) -> [Value] {
    guard let array = try optionalArray(column, of: Value.self) else { throw mistake(column, "is NULL") }
    return array
  }

  /// Reads an array of one dimension without NULLs in it, or NULL.
  public func optionalArray<Value: PostgresValue>(
    _ column: Int, of: Value.Type = Value.self
  ) throws(PostgresError) -> [Value]? {
    try check(column)
    return try read(column) { bytes, _ throws(PostgresError) in
      guard let values = [Value](decodingArray: bytes) else {
        throw mistake(column, "is no array of \(Value.self) without NULLs")
      }
      return values
    }
  }
}

extension Array where Element: PostgresValue {
  /// Reads the binary form of an array (see `Parameters.append`); nil when the bytes are none, or hold a NULL.
  init?(decodingArray bytes: Span<UInt8>) {
    guard let dimensions: Int32 = bytes.integer(at: 0), let element: UInt32 = bytes.integer(at: 8) else {
      return nil
    }
    self = []
    if dimensions == 0 { return }
    let type = ValueType(rawValue: element)
    guard dimensions == 1, Element.reads(type), let count: Int32 = bytes.integer(at: 12), count >= 0,
      Int(count) <= bytes.count / 4
    else { return nil }
    reserveCapacity(Int(count))
    var offset = 20
    for _ in 0..<count {
      guard let length: Int32 = bytes.integer(at: offset), length >= 0,
        offset + 4 + Int(length) <= bytes.count,
        let value = Element(decoding: bytes.extracting(offset + 4..<offset + 4 + Int(length)), type: type)
      else { return nil }
      append(value)
      offset += 4 + Int(length)
    }
  }
}
