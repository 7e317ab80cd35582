import Licensing
import Postgres
import Reactor
import Testing

@testable import Database
@testable import Store

@Suite struct MigratorTests {
  @Test func `an empty database gets every step, once`() async throws {
    try await TestStore.withEmptyDatabase { client in
      let migrator = Migrator(client)
      guard case .behind(let missing) = try await migrator.state() else {
        throw StorageError.fault("not behind")
      }
      #expect(missing.map(\.version) == Migrations.all.map(\.version))
      let applied = Lock<[Int32]>([])
      try await migrator.migrate { step in applied.withLock { $0.append(step.version) } }
      try await migrator.migrate { step in applied.withLock { $0.append(step.version) } }
      #expect(applied.withLock { $0 } == Migrations.all.map(\.version))
      guard case .ready = try await migrator.state() else { throw StorageError.fault("not ready") }
    }
  }

  @Test func `of many that migrate at once each step is applied by one`() async throws {
    try await TestStore.withEmptyDatabase { client in
      let applied = Lock<[Int32]>([])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            try await Migrator(client).migrate { step in applied.withLock { $0.append(step.version) } }
          }
        }
        try await group.waitForAll()
      }
      #expect(applied.withLock { $0 } == Migrations.all.map(\.version))
    }
  }

  static let steps = [
    Migration(1, "one", minimumBinary: 1, Array("\(table) CREATE TABLE a (x int);".utf8)),
    Migration(2, "two", minimumBinary: 1, Array("CREATE TABLE b (x int);".utf8)),
    Migration(3, "three", minimumBinary: 3, Array("DROP TABLE a;".utf8)),
  ]
  static let table = """
    CREATE TABLE schema_version (version int PRIMARY KEY, name text NOT NULL, min_binary int NOT NULL);
    """

  @Test func `a newer schema is good until it takes away what this binary needs`() async throws {
    try await TestStore.withEmptyDatabase { client in
      let old = Migrator(client, known: Array(Self.steps[..<1]))
      try await Migrator(client, known: Array(Self.steps[..<2])).migrate()
      guard case .ready = try await old.state() else { throw StorageError.fault("not ready") }
      try await Migrator(client, known: Self.steps).migrate()
      guard case .ahead(minimumBinary: 3) = try await old.state() else {
        throw StorageError.fault("not ahead")
      }
      await #expect(throws: StorageError.self) { try await old.migrate() }
      guard case .ahead(minimumBinary: 3) = try await Migrator(client, known: Array(Self.steps[..<2])).state()
      else { throw StorageError.fault("not ahead") }
    }
  }

  @Test func `a step that fails leaves nothing, and those before it stay`() async throws {
    try await TestStore.withEmptyDatabase { client in
      let broken = Migration(2, "two", minimumBinary: 1, Array("CREATE TABLE b (x int); SELECT 1/0;".utf8))
      let error = await #expect(throws: StorageError.self) {
        try await Migrator(client, known: [Self.steps[0], broken]).migrate()
      }
      #expect("\(error.map { "\($0)" } ?? "")".contains("migration 2 (two)"))
      guard case .behind(let missing) = try await Migrator(client, known: Self.steps).state() else {
        throw StorageError.fault("not behind")
      }
      #expect(missing.map(\.version) == [2, 3])
      try await Migrator(client, known: Self.steps).migrate()
    }
  }

  @Test func `a step waits for a lock only briefly, and tries again`() async throws {
    try await TestStore.withEmptyDatabase { client in
      try await Migrator(client, known: Array(Self.steps[..<2])).migrate()
      try await client.session { session in
        try await session.simple("BEGIN; LOCK TABLE a IN ACCESS SHARE MODE")
        async let migrated: Void = Migrator(client, known: Self.steps, lockTimeout: "100ms").migrate()
        // It waits, and gives up.
        while try await client.commit(CountWaiting()).first == 0 {}
        while try await client.commit(CountWaiting()).first != 0 {}
        try await session.simple("COMMIT")
        try await migrated
      }
      guard case .ready = try await Migrator(client, known: Self.steps).state() else {
        throw StorageError.fault("not ready")
      }
    }
  }
}

/// How many sessions wait for a lock on table `a`.
struct CountWaiting: Statement {
  static let sql: StaticString = """
    SELECT count(*) FROM pg_locks WHERE relation = 'a'::regclass AND NOT granted
    """
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}
