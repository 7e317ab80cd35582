internal import CPostgres

/// The columns of one row, by position from 0, read where libpq received them.
///
/// Every reader throws `.decoding` when the column is of another type, is NULL (unless the reader is an `optional…`),
/// or does not exist.
// SAFETY: the result outlives this value, which only a borrower sees; positions are checked before libpq is asked.
@safe public struct Columns: ~Copyable {
  private let result: OpaquePointer
  private let row: Int32
  /// How many columns the row has.
  public let count: Int

  init(result: OpaquePointer, row: Int32, count: Int) {
    unsafe self.result = unsafe result
    self.row = row
    self.count = count
  }

  // MARK: Values

  public func bool(_ column: Int) throws(PostgresError) -> Bool { try value(column) }
  public func int16(_ column: Int) throws(PostgresError) -> Int16 { try value(column) }
  /// An int4 or a narrower one.
  public func int32(_ column: Int) throws(PostgresError) -> Int32 { try value(column) }
  /// An int8 or a narrower one.
  public func int64(_ column: Int) throws(PostgresError) -> Int64 { try value(column) }
  public func double(_ column: Int) throws(PostgresError) -> Double { try value(column) }
  /// Text, JSON as it is written, or an enumeration's label.
  public func string(_ column: Int) throws(PostgresError) -> String { try value(column) }
  /// A `bytea`, or JSON as it is written.
  public func bytes(_ column: Int) throws(PostgresError) -> [UInt8] { try value(column) }
  /// Microseconds since 1970; `Int64.max` is `infinity`.
  public func timestamp(_ column: Int) throws(PostgresError) -> Int64 {
    try value(column, as: Timestamp.self).microseconds
  }
  public func uuid(_ column: Int) throws(PostgresError) -> UUIDHalves {
    try value(column, as: UniqueID.self).halves
  }

  // MARK: Values that may be NULL

  public func optionalBool(_ column: Int) throws(PostgresError) -> Bool? { try optional(column) }
  public func optionalInt16(_ column: Int) throws(PostgresError) -> Int16? { try optional(column) }
  public func optionalInt32(_ column: Int) throws(PostgresError) -> Int32? { try optional(column) }
  public func optionalInt64(_ column: Int) throws(PostgresError) -> Int64? { try optional(column) }
  public func optionalDouble(_ column: Int) throws(PostgresError) -> Double? { try optional(column) }
  public func optionalString(_ column: Int) throws(PostgresError) -> String? { try optional(column) }
  public func optionalBytes(_ column: Int) throws(PostgresError) -> [UInt8]? { try optional(column) }
  public func optionalTimestamp(_ column: Int) throws(PostgresError) -> Int64? {
    try optional(column, as: Timestamp.self)?.microseconds
  }
  public func optionalUUID(_ column: Int) throws(PostgresError) -> UUIDHalves? {
    try optional(column, as: UniqueID.self)?.halves
  }

  // MARK: Any type

  /// Reads a value of any type that has a binary form.
  public func value<Value: PostgresValue>(
    _ column: Int, as: Value.Type = Value.self
  ) throws(PostgresError) -> Value {
    guard let value = try optional(column, as: Value.self) else { throw mistake(column, "is NULL") }
    return value
  }

  /// Reads a value of any type that has a binary form, or NULL.
  public func optional<Value: PostgresValue>(
    _ column: Int, as: Value.Type = Value.self
  ) throws(PostgresError) -> Value? {
    try check(column)
    return try read(column) { bytes, type throws(PostgresError) in
      guard Value.reads(type) else {
        throw mistake(column, "has the type \(type.rawValue), which cannot be read as \(Value.self)")
      }
      guard let value = Value(decoding: bytes, type: type) else {
        throw mistake(column, "holds \(bytes.count) bytes that are no \(Value.self)")
      }
      return value
    }
  }

  /// Lends the bytes of a column as they came; nil for NULL.
  public func withBytes<Result, Failure: Error>(
    _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try read(column) { bytes, _ throws(Failure) in try body(bytes) }
  }

  func check(_ column: Int) throws(PostgresError) {
    guard (0..<count).contains(column) else { throw .decoding("column \(column) is not there") }
  }

  func mistake(_ column: Int, _ what: String) -> PostgresError {
    let name = unsafe PQfname(result, Int32(clamping: column)).map { unsafe String(cString: $0) }
    return .decoding("column \(column)\(name.map { " (\($0))" } ?? "") \(what)")
  }

  /// Lends the bytes of a column with its type; nil for NULL, and for a column that does not exist.
  func read<Result, Failure: Error>(
    _ column: Int, _ body: (Span<UInt8>, ValueType) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let index = Int32(truncatingIfNeeded: column)
    guard column >= 0, column < count, unsafe PQgetisnull(result, row, index) == 0,
      let start = unsafe PQgetvalue(result, row, index)
    else { return nil }
    let length = Int(unsafe PQgetlength(result, row, index))
    let type = ValueType(rawValue: unsafe PQftype(result, index))
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length).assumingMemoryBound(to: UInt8.self)
    return try body(unsafe bytes.span, type)
  }
}
