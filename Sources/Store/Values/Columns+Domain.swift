import Licensing
import Postgres

/// The domain's values in columns.
extension Columns {
  func key<Entity>(_ column: Int) throws(PostgresError) -> Key<Entity> { Key(try int64(column)) }

  func optionalKey<Entity>(_ column: Int) throws(PostgresError) -> Key<Entity>? {
    try optionalInt64(column).map { Key($0) }
  }

  func identifier(_ column: Int) throws(PostgresError) -> Identifier {
    let halves = try uuid(column)
    return Identifier(high: halves.high, low: halves.low)
  }

  func optionalIdentifier(_ column: Int) throws(PostgresError) -> Identifier? {
    try optionalUUID(column).map { Identifier(high: $0.high, low: $0.low) }
  }

  func instant(_ column: Int) throws(PostgresError) -> Instant {
    Instant(microseconds: try timestamp(column))
  }

  func optionalInstant(_ column: Int) throws(PostgresError) -> Instant? {
    try optionalTimestamp(column).map { Instant(microseconds: $0) }
  }

  func stringMap(_ column: Int) throws(PostgresError) -> [String: String] {
    try JSONColumn.stringMap(try bytes(column))
  }

  func features(_ column: Int) throws(PostgresError) -> Features {
    try JSONColumn.features(try bytes(column))
  }

  func config(_ column: Int) throws(PostgresError) -> Config { Config(json: try bytes(column)) }

  func optionalConfig(_ column: Int) throws(PostgresError) -> Config? {
    try optionalBytes(column).map { Config(json: $0) }
  }

  /// `id`, `public_id`, `external_id`, `metadata`, `created_at`, `updated_at`, `revision`, from this column on.
  func record<Entity>(_ column: Int = 0) throws(PostgresError) -> Record<Entity> {
    Record(
      key: try key(column), id: try identifier(column + 1), externalID: try optionalString(column + 2),
      metadata: try stringMap(column + 3), createdAt: try instant(column + 4),
      updatedAt: try instant(column + 5),
      revision: try int64(column + 6))
  }

  /// A value that the database's checks keep well formed.
  func parsed<Value>(_ column: Int, _ parse: (String) -> Value?) throws(PostgresError) -> Value {
    let text = try string(column)
    guard let value = parse(text) else { throw .decoding("column \(column) holds no \(Value.self): \(text)") }
    return value
  }

  /// An enumeration that the database's checks keep within bounds.
  func code<Value: RawRepresentable>(
    _ column: Int, as: Value.Type = Value.self
  ) throws(PostgresError) -> Value where Value.RawValue == Int16 {
    let number = try int16(column)
    guard let value = Value(rawValue: number) else {
      throw .decoding("column \(column) holds no \(Value.self): \(number)")
    }
    return value
  }
}
