public import Database
public import Licensing
public import Postgres

/// Brings the schema forward, one step and one transaction at a time, one process at a time.
///
/// Each step waits for locks no longer than `lock_timeout`, so that it never queues in front of live traffic for long; it
/// is tried again a few times. What was applied stays applied when a later step fails.
public struct Migrator: Sendable {
  private let client: PostgresClient
  private let known: [Migration]
  private let lockTimeout: String
  private static let attempts = 20

  public init(_ client: PostgresClient) { self.init(client, known: Migrations.all) }

  init(_ client: PostgresClient, known: [Migration], lockTimeout: String = "2s") {
    self.client = client
    self.known = known
    self.lockTimeout = lockTimeout
  }

  /// What the schema is to this binary.
  public func state() async throws(StorageError) -> SchemaState {
    try await inSession { try await state(in: $0) }
  }

  /// Whether transactions can be confined to an organization: the schema knows how, and the role is there.
  public func hasSecondWall() async throws(StorageError) -> Bool {
    try await inSession { try await $0.run(Confine(organization: Key(0))).first == true }
  }

  /// Applies what is missing, waiting while another process does, and tells of each step once it is applied.
  ///
  /// Throws `.fault` when the schema is ahead of this binary, or when a step fails.
  public func migrate(applied: (Migration) -> Void = { _ in }) async throws(StorageError) {
    try await inSession { session in
      try await session.simple("SET statement_timeout = 0; SET lock_timeout = '\(lockTimeout)'")
      while try await session.run(TryMigrationLock()).first != true { _ = try await session.run(Pause()) }
      switch try await state(in: session) {
      case .ready: break
      case .ahead(let minimumBinary):
        throw StorageError.fault("the schema needs a binary that knows migration \(minimumBinary)")
      case .behind(let missing):
        for migration in missing {
          try await apply(migration, in: session)
          applied(migration)
        }
      }
      _ = try await session.run(ReleaseMigrationLock())
    }
  }

  private func state(in session: PostgresSession) async throws(PostgresError) -> SchemaState {
    guard try await session.run(SchemaVersionExists()).first == true else { return .behind(known) }
    return SchemaState(applied: try await session.run(ReadSchemaVersions()), known: known)
  }

  private func apply(_ migration: Migration, in session: PostgresSession) async throws {
    let step = """
      BEGIN;
      \(migration.sql)
      INSERT INTO public.schema_version (version, name, min_binary)
      VALUES (\(migration.version), '\(migration.name)', \(migration.minimumBinary));
      COMMIT;
      """
    var attempt = 1
    while true {
      do {
        return try await session.simple(step)
      } catch {
        _ = try? await session.simple("ROLLBACK")
        let mayPass = error.state == .lockNotAvailable || error.state == .deadlockDetected
        guard mayPass, attempt < Self.attempts else {
          throw StorageError.fault("migration \(migration.version) (\(migration.name)): \(error)")
        }
        attempt += 1
        _ = try await session.run(Pause())
      }
    }
  }

  private func inSession<Result: Sendable>(
    _ work: (PostgresSession) async throws -> Result
  ) async throws(StorageError) -> Result {
    do {
      return try await client.session(work)
    } catch let error as StorageError {
      throw error
    } catch let error as PostgresError {
      throw StorageError(error)
    } catch {
      throw .fault("\(error)")
    }
  }
}
