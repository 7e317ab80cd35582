/// A transaction under way on a connection of its own; it means nothing after the closure that was given it.
public struct Transaction: Sendable {
  /// How a transaction sees what others do (PostgreSQL manual, §13.2).
  public enum Isolation: Sendable {
    case readCommitted
    case repeatableRead
    case serializable
  }

  private let connection: PostgresConnection
  private let number: UInt64

  /// Runs a statement. One that fails fails the whole transaction.
  public func run<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
    if Task.isCancelled { throw .cancelled }
    return try await connection.runInTransaction(number, statement)
  }

  static func run<Result: Sendable>(
    on connection: PostgresConnection, _ isolation: Isolation, readOnly: Bool,
    _ body: (Transaction) async throws -> Result
  ) async throws -> Result {
    let transaction = Transaction(
      connection: connection, number: await connection.beginTransaction(isolation, readOnly: readOnly))
    let result: Result
    do {
      result = try await body(transaction)
      if Task.isCancelled { throw PostgresError.cancelled }
    } catch {
      await connection.rollBack()
      throw error
    }
    try await connection.commitTransaction()
    return result
  }
}
