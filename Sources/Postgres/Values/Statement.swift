/// One statement of SQL, its parameters and its rows.
///
/// It is prepared once per connection, under a name that says its type, right in front of its first use.
public protocol Statement: Sendable {
  associatedtype Row: Sendable

  /// One statement, with `$1`, `$2`, … for the parameters.
  static var sql: StaticString { get }

  /// Appends the parameters in their order. The types must be the same at every call.
  func bind(_ parameters: inout Parameters)

  /// Reads one row.
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Row
}

extension Statement {
  public func bind(_ parameters: inout Parameters) {}
}

extension Statement where Row == Void {
  public static func row(_ columns: borrowing Columns) throws(PostgresError) {}
}
