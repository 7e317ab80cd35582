public import Issuance
import Licensing
public import Postgres

/// Units of work as transactions of a PostgreSQL database.
public struct StoreUnitsOfWork: UnitsOfWork {
  private let client: PostgresClient

  public init(_ client: PostgresClient) { self.client = client }

  public func transact<Result: Sendable>(
    _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
  ) async throws -> Result {
    try await stating { try await client.transaction { try await body(StoreUnitOfWork(transaction: $0)) } }
  }

  public func read<Result: Sendable>(
    _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
  ) async throws -> Result {
    try await stating {
      try await client.transaction(isolation: .repeatableRead, readOnly: true) {
        try await body(StoreUnitOfWork(transaction: $0))
      }
    }
  }

  /// BEGIN and COMMIT fail in the domain's words too; what `body` throws passes.
  private func stating<Result>(_ work: () async throws -> Result) async throws -> Result {
    do { return try await work() } catch let error as PostgresError { throw StorageError(error) }
  }
}
