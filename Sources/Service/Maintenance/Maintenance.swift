internal import API
internal import Cryptography
internal import Database
internal import Issuance
internal import Licensing
internal import Postgres
internal import Reactor
internal import Store

/// What an operator does to an installation from the machine itself, with what the configuration knows.
public struct Maintenance: Sendable {
  private let address: PostgresConfiguration

  public init(_ configuration: Configuration) throws(StartFailure) {
    address = try configuration.postgres()
  }

  /// Brings the schema up to this program; tells of each step that it applied.
  ///
  /// - Returns: whether the second wall between organizations stands: making it may take more rights than this role has.
  @discardableResult
  public func migrate(applied: @Sendable (_ step: String) -> Void) async throws(StartFailure) -> Bool {
    try await withDatabase { database in
      let migrator = Migrator(database)
      try await migrator.migrate { applied("\($0.version) \($0.name)") }
      return try await migrator.hasSecondWall()
    }
  }

  /// Makes an operator token and returns it: only its hash is stored, and the audit trail has it.
  public func makeOperatorToken(named name: String) async throws(StartFailure) -> String {
    try await withDatabase { database in
      let token = try BearerToken(.operator, random: RandomBytes.make(32))
      try await StoreUnitsOfWork(database).transact { work in
        let made = try await work.insert(
          NewAPIToken(
            record: NewRecord(id: try IdentifierSource.make()), organization: nil, name: name,
            role: .operator,
            hash: token.hash, ttlSeconds: nil))
        try await work.record(
          AuditEvent(
            "token.created", organization: nil, actor: .machine, detail: ["token": made.record.id.description]
          ))
      }
      return token.secret
    }
  }

  /// Whether an operator token is a living one.
  public func isLiving(operatorToken text: String) async throws(StartFailure) -> Bool {
    guard let token = BearerToken(text, of: [.operator]) else { return false }
    return try await withDatabase { database in
      try await StoreUnitsOfWork(database).read { try await $0.token(hash: token.hash) != nil }
    }
  }

  func withDatabase<Result: Sendable>(
    _ body: (PostgresClient) async throws -> Result
  ) async throws(StartFailure) -> Result {
    do {
      let loops = try EventLoopGroup(count: 1, name: "usher-db")
      defer { loops.shutdown() }
      let database = PostgresClient.connect(address, on: loops.loops)
      do {
        let result = try await body(database)
        await database.close()
        return result
      } catch {
        await database.close()
        throw error
      }
    } catch StorageError.unavailable(let reason) {
      throw StartFailure("the database cannot be reached: \(reason)")
    } catch StorageError.fault(let reason) {
      throw StartFailure(reason)
    } catch let failure as StartFailure {
      throw failure
    } catch {
      throw StartFailure("\(error)")
    }
  }
}
