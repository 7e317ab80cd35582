import API
import Issuance
import Licensing
import Synchronization
import Telemetry

/// A database that is away.
struct Unreachable: UnitsOfWork {
  func transact<Result: Sendable>(
    _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
  ) async throws -> Result {
    throw StorageError.unavailable("connection refused: 10.0.0.7")
  }

  func read<Result: Sendable>(
    _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
  ) async throws -> Result {
    throw StorageError.unavailable("connection refused: 10.0.0.7")
  }
}

extension Services {
  static func forTests(units: any UnitsOfWork = Unreachable(), logger: Logger = .silent) -> Services {
    Services(
      units: units, publicURL: "https://localhost:8444", deviceURL: "https://localhost:8443",
      clock: { Instant(seconds: 1_796_000_523) }, random: { [UInt8](repeating: 7, count: $0) }, settle: {},
      logger: logger)
  }
}
