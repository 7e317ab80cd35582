internal import Postgres

/// Tells the other servers to look at once; sent after a commit, since a notification inside one serializes commits.
struct ChangeNotice: Statement {
  /// The channel, an SQL identifier.
  static let channel: StaticString = "usher_change"
  static let sql: StaticString = "SELECT pg_notify('usher_change', '')"
  typealias Row = Void
  static func row(_ columns: borrowing Columns) throws(PostgresError) {}
}
