@testable import Postgres

// The statements of these tests. Table `item`: `id` bigint primary key, `note` text, and a constraint that holds at commit.

struct CreateItems: Statement {
  typealias Row = Void
  static var sql: StaticString {
    """
    CREATE TABLE item (
      id bigint PRIMARY KEY CHECK (id >= 0), note text NOT NULL, parent bigint,
      CONSTRAINT item_parent FOREIGN KEY (parent) REFERENCES item DEFERRABLE INITIALLY DEFERRED)
    """
  }
}

struct AddItem: Statement {
  let id: Int64
  var note = "note"
  var parent: Int64?

  static var sql: StaticString { "INSERT INTO item (id, note, parent) VALUES ($1, $2, $3) RETURNING id" }

  func bind(_ parameters: inout Parameters) {
    parameters.append(id)
    parameters.append(note)
    parameters.append(parent)
  }

  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}

/// As `AddItem`, but looked up, which it is not.
struct AddItemInLookup: Statement {
  static var sql: StaticString { "INSERT INTO item (id, note) VALUES (1, '') RETURNING id" }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}

struct CountItems: Statement {
  static var sql: StaticString { "SELECT count(*) FROM item" }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}

struct AllOfItems: Statement {
  static var sql: StaticString { "SELECT * FROM item" }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int { columns.count }
}

/// Gives back its number, or fails for 0.
struct Divide: Statement {
  let number: Int64
  static var sql: StaticString { "SELECT $1 / $1 * $1" }
  func bind(_ parameters: inout Parameters) { parameters.append(number) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}

struct Sleep: Statement {
  let seconds: Double
  static var sql: StaticString { "SELECT 1 FROM pg_sleep($1)" }
  func bind(_ parameters: inout Parameters) { parameters.append(seconds) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}

struct Backend: Statement {
  static var sql: StaticString { "SELECT pg_backend_pid()" }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}

/// Ends every other session of this database with that application name.
struct EndSessions: Statement {
  let application: String
  static var sql: StaticString {
    """
    SELECT pid FROM pg_stat_activity, pg_terminate_backend(pid, 5000)
     WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()
    """
  }
  func bind(_ parameters: inout Parameters) { parameters.append(application) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}

struct Setting: Statement {
  let name: String
  static var sql: StaticString { "SELECT current_setting($1)" }
  func bind(_ parameters: inout Parameters) { parameters.append(name) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> String { try columns.string(0) }
}

struct Warn: Statement {
  static var sql: StaticString { "SELECT warn()" }
  typealias Row = Void
}

struct Notify: Statement {
  typealias Row = Void
  static var sql: StaticString { "NOTIFY hint" }
}
