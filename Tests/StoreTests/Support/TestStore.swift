import Fixtures
import Issuance
import Licensing
import Postgres
import Reactor
import Synchronization

@testable import Store

/// A database of one's own with the schema applied, and everything that reads and writes it.
struct TestStore: Sendable {
  let client: PostgresClient
  let seats: StoreSeats
  let units: StoreUnitsOfWork
  let trust: StoreTrust

  /// A database of one's own with the schema applied.
  static func emptyStore() async throws -> PostgresConfiguration {
    try await TestCluster.shared.database(template: "store") { configuration in
      try await withClient(configuration) { client in
        try await Migrator(client).migrate()
        try await client.session { try await $0.simple(asking) }
      }
    }
  }

  /// What tests ask in words of their own.
  static let asking = """
    CREATE FUNCTION ask(sql text) RETURNS text LANGUAGE plpgsql AS
    $$ DECLARE answer text; BEGIN EXECUTE sql INTO answer; RETURN answer; END $$
    """

  static func withStore<Result: Sendable>(_ body: (TestStore) async throws -> Result) async throws -> Result {
    let configuration = try await emptyStore()
    return try await Gate.databases.pass {
      try await withClient(configuration) { try await body(TestStore($0)) }
    }
  }

  /// A client of an empty database.
  static func withEmptyDatabase<Result: Sendable>(
    _ body: (PostgresClient) async throws -> Result
  ) async throws -> Result {
    try await Gate.databases.pass { try await withClient(try await TestCluster.shared.database(), body) }
  }

  static func withClient<Result: Sendable>(
    _ configuration: PostgresConfiguration, _ body: (PostgresClient) async throws -> Result
  ) async throws -> Result {
    var configuration = configuration
    // A busy machine is no fault of the database.
    configuration.connectTimeout = .seconds(60)
    configuration.operationTimeout = .seconds(60)
    configuration.acquireTimeout = .seconds(60)
    configuration.statementTimeout = .seconds(50)
    configuration.lockTimeout = .seconds(50)
    configuration.idleInTransactionTimeout = .seconds(60)
    let group = try EventLoopGroup(count: 2, name: "test")
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

  init(_ client: PostgresClient) {
    self.client = client
    seats = StoreSeats(client)
    units = StoreUnitsOfWork(client)
    trust = StoreTrust(client)
  }

  /// Statements as text, on a connection of their own.
  func run(_ sql: String) async throws { try await client.session { try await $0.simple(sql) } }

  /// The first column of the first row, as text.
  func ask(_ sql: String) async throws -> String? { try await client.commit(Ask(sql: sql)).first ?? nil }

  private static let counter = Atomic<UInt64>(1)

  static func newRecord() -> NewRecord {
    NewRecord(id: Identifier(high: 7, low: counter.add(1, ordering: .relaxed).oldValue))
  }
}

struct Ask: Statement {
  static let sql: StaticString = "SELECT ask($1)"
  let sql: String
  func bind(_ parameters: inout Parameters) { parameters.append(sql) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> String? {
    try columns.optionalString(0)
  }
}
