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
}
