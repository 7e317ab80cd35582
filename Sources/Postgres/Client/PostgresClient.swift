/// The database, for whoever holds this value: bounded connections that come back by themselves.
public struct PostgresClient: Sendable {
  /// How a transaction sees what others do (PostgreSQL manual, §13.2).
  public enum Isolation: Sendable {
    case readCommitted
    case repeatableRead
    case serializable
  }

  /// Ends all connections; calls in flight are finished or fail.
  public func close() async {}

  /// Whether there is a connection for look-ups and one for commits.
  public var isHealthy: Bool { false }

  /// Why there is none; nil when there is.
  public var problem: String? { nil }

  /// Looks something up. Look-ups of one turn of the loop share a round trip and a snapshot per statement; they run in
  /// read-only sessions, and one whose connection was lost is repeated once.
  public func read<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
    throw .unavailable("not connected")
  }

  /// Runs a statement in a transaction of its own; returns when its commit was acknowledged without a warning.
  public func commit<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
    throw .unavailable("not connected")
  }

  /// Runs `body` in a transaction on one connection: COMMIT when it returns, ROLLBACK when it throws or its task is
  /// cancelled. Throws what `body` throws, or a `PostgresError`.
  public func transaction<Result: Sendable>(
    isolation: Isolation = .readCommitted, readOnly: Bool = false,
    _ body: (Transaction) async throws -> Result
  ) async throws -> Result {
    throw PostgresError.unavailable("not connected")
  }

  /// Runs `body` on a connection of its own, which is closed afterwards: for migrations, session locks and settings.
  public func session<Result: Sendable>(
    _ body: (PostgresSession) async throws -> Result
  ) async throws -> Result {
    throw PostgresError.unavailable("not connected")
  }
}

/// A transaction under way; it means nothing after the closure that was given it.
public struct Transaction: Sendable {
  /// Runs a statement. One that fails fails the whole transaction.
  public func run<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
    throw .unavailable("not connected")
  }
}

/// A connection of one's own.
public struct PostgresSession: Sendable {
  /// Runs a statement in a transaction of its own, or in the one that `simple("BEGIN")` began.
  public func run<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
    throw .unavailable("not connected")
  }

  /// Runs any number of statements as text, in the server's simple protocol: without parameters or rows, and in one
  /// transaction unless they say otherwise. Waits as long as it takes.
  public func simple(_ sql: String) async throws(PostgresError) {
    throw .unavailable("not connected")
  }

  /// Runs `COPY … FROM STDIN` and sends it `bytes`.
  public func copy(_ sql: String, from bytes: [UInt8]) async throws(PostgresError) {
    throw .unavailable("not connected")
  }
}
