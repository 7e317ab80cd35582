import Issuance
import Licensing
import Postgres

/// One database transaction as the domain sees it; its repositories are in the extensions beside each aggregate.
struct StoreUnitOfWork: IssuanceUnitOfWork {
  let transaction: Transaction

  func confine(to organization: Key<Organization>) async throws(StorageError) {
    _ = try await run(Confine(organization: organization))
  }

  func run<S: Statement>(_ statement: S) async throws(StorageError) -> [S.Row] {
    try await stating { () throws(PostgresError) in try await transaction.run(statement) }
  }

  /// Runs a statement that finds at most one row.
  func first<S: Statement>(_ statement: S) async throws(StorageError) -> S.Row? {
    try await run(statement).first
  }

  /// Runs a statement that always has a row.
  func one<S: Statement>(_ statement: S) async throws(StorageError) -> S.Row {
    guard let row = try await run(statement).first else { throw .fault("\(S.self) found nothing") }
    return row
  }

  /// Runs a statement that was asked for one row more than the page holds.
  func page<S: Statement>(
    _ statement: S, _ request: PageRequest, key: (S.Row) -> Int64
  ) async throws(StorageError) -> Page<S.Row> {
    var rows = try await run(statement)
    guard rows.count > request.limit else { return Page(elements: rows, next: nil) }
    rows.removeLast(rows.count - request.limit)
    return Page(elements: rows, next: rows.last.map(key))
  }
}
