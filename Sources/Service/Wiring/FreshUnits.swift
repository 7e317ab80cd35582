import Directory
import Issuance
import Licensing

/// Units of work that write only while the change feed is fresh: a server that may have missed a revocation signs
/// nothing and changes nothing (design invariant 4).
struct FreshUnits: UnitsOfWork {
  private let units: any UnitsOfWork
  private let health: FeedHealth

  init(_ units: any UnitsOfWork, health: FeedHealth) {
    self.units = units
    self.health = health
  }

  func transact<Result: Sendable>(
    _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
  ) async throws -> Result {
    guard health.freshness() == .fresh else { throw StorageError.unavailable("the change feed is not fresh") }
    return try await units.transact(body)
  }

  func read<Result: Sendable>(
    _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
  ) async throws -> Result {
    try await units.read(body)
  }
}
