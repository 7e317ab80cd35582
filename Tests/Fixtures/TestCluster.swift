public import LocalCluster
public import Postgres
import Reactor

/// A real PostgreSQL for the tests of one process, made at the first use and gone with the process, whichever way that
/// ends.
///
/// It is fast because nothing is flushed to the disk. Whoever kills servers makes a `PostgresCluster` of their own.
public actor TestCluster {
  private static let start = Task { try await TestCluster() }

  /// The one of this process.
  public static var shared: TestCluster {
    get async throws { try await start.value }
  }

  public nonisolated var cluster: PostgresCluster { disposable.cluster }
  private nonisolated let disposable: DisposableCluster
  private let group: EventLoopGroup
  private let administration: PostgresClient
  private var templates: [String: Task<Void, any Error>] = [:]
  private var lastDatabase = 0

  private init() async throws {
    ProcessSignals.ignoreBrokenPipes()
    group = try EventLoopGroup(count: 1, name: "test-cluster")
    var options = PostgresCluster.Options()
    options.durability = .relaxed
    options.connections = 300
    disposable = try await DisposableCluster(options: options, on: group.loops[0])
    var configuration = try Self.configuration(of: PostgresCluster.database, in: disposable.cluster)
    configuration.writeConnections = 1
    administration = PostgresClient.connect(configuration, on: group.loops)
  }

  /// How to connect to a new, empty database.
  public func database() async throws -> PostgresConfiguration { try await database("template1") }

  /// How to connect to a new copy of a database that `prepare` filled, once for all who name the same template.
  public func database(
    template: String, prepare: @escaping @Sendable (PostgresConfiguration) async throws -> Void
  ) async throws -> PostgresConfiguration {
    let name = "template_\(template)"
    let preparation =
      templates[template]
      ?? Task {
        try await self.create(name, from: "template1")
        try await prepare(Self.configuration(of: name, in: self.cluster))
      }
    templates[template] = preparation
    try await preparation.value
    return try await database(name)
  }

  private func database(_ template: String) async throws -> PostgresConfiguration {
    lastDatabase += 1
    let name = "test_\(lastDatabase)"
    try await create(name, from: template)
    return try Self.configuration(of: name, in: cluster)
  }

  /// A machine that is busy with other tests is slow, not at fault.
  private static func configuration(
    of database: String, in cluster: PostgresCluster
  ) throws -> PostgresConfiguration {
    var configuration = try PostgresConfiguration(url: cluster.url(database: database))
    configuration.writeConnections = 4
    configuration.connectTimeout = .seconds(60)
    configuration.acquireTimeout = .seconds(60)
    configuration.operationTimeout = .seconds(60)
    configuration.statementTimeout = .seconds(50)
    configuration.idleInTransactionTimeout = .seconds(50)
    return configuration
  }

  private func create(_ name: String, from template: String) async throws {
    try await administration.session { try await $0.simple("CREATE DATABASE \(name) TEMPLATE \(template)") }
  }
}
