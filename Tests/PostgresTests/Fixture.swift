import Fixtures
import Reactor

@testable import Postgres

/// Loops, a database and a client for one test.
enum Fixture {
  static func withClient<Result: Sendable>(
    loops: Int = 2, configure: (inout PostgresConfiguration) -> Void = { _ in },
    _ body: (PostgresClient) async throws -> Result
  ) async throws -> Result {
    var configuration = try await TestCluster.shared.database()
    configure(&configuration)
    return try await withClient(configuration, loops: loops, body)
  }

  static func withClient<Result: Sendable>(
    _ configuration: PostgresConfiguration, loops: Int = 2, _ body: (PostgresClient) async throws -> Result
  ) async throws -> Result {
    let group = try EventLoopGroup(count: loops, name: "test")
    let client = PostgresClient.connect(configuration, on: group.loops)
    do {
      let result = try await body(client)
      await client.close()
      group.shutdown()
      return result
    } catch {
      await client.close()
      group.shutdown()
      throw error
    }
  }

  /// Waits until all is well with a client.
  static func untilHealthy(_ client: PostgresClient) async throws { try await until { client.isHealthy } }
}

/// Waits until something holds, or the test has taken too long.
func until(_ condition: () async throws -> Bool) async throws {
  while try await !condition() {
    try Task.checkCancellation()
    await Task.yield()
  }
}

/// What a call throws, if it does.
func failure<R>(of call: () async throws(PostgresError) -> R) async -> PostgresError? {
  do throws(PostgresError) {
    _ = try await call()
    return nil
  } catch { return error }
}

extension PostgresError {
  /// Why nobody knows what became of it.
  var doubt: String? { if case .outcomeUnknown(let reason) = self { reason } else { nil } }
}
