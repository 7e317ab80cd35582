import Postgres

struct SchemaVersionExists: Statement {
  static let sql: StaticString = "SELECT to_regclass('public.schema_version') IS NOT NULL"
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Bool { try columns.bool(0) }
}

struct ReadSchemaVersions: Statement {
  static let sql: StaticString = "SELECT version, min_binary FROM public.schema_version ORDER BY version"
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> AppliedMigration {
    AppliedMigration(version: try columns.int32(0), minimumBinary: try columns.int32(1))
  }
}

/// Asks for the lock under which one process migrates.
///
/// It never waits inside the lock function: whoever waits there holds a snapshot, which a CREATE INDEX CONCURRENTLY of the
/// holder would wait for in turn.
struct TryMigrationLock: Statement {
  static let sql: StaticString = "SELECT pg_try_advisory_lock(7310033)"
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Bool { try columns.bool(0) }
}

struct ReleaseMigrationLock: Statement {
  static let sql: StaticString = "SELECT pg_advisory_unlock(7310033)"
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Bool { try columns.bool(0) }
}

/// A quarter of a second, by the database's clock: nothing here has a timer.
struct Pause: Statement {
  static let sql: StaticString = "SELECT FROM pg_sleep(0.25)"
}
