public import Reactor

/// The database, for whoever holds this value: bounded connections that come back by themselves.
///
/// While nothing could be connected lately every call fails at once with `.unavailable`. No call is interrupted by the
/// cancellation of its task, because all are bounded in time.
public struct PostgresClient: Sendable {
  private let configuration: PostgresConfiguration
  private let loops: [EventLoop]
  private let hostOrder: HostOrder
  private let readers: ConnectionPool
  private let writers: ConnectionPool

  /// Begins to connect over the loops, and goes on until `close`. It does not wait for the database.
  public static func connect(_ configuration: PostgresConfiguration, on loops: [EventLoop]) -> PostgresClient
  {
    PostgresClient(configuration, loops)
  }

  private init(_ configuration: PostgresConfiguration, _ loops: [EventLoop]) {
    self.configuration = configuration
    self.loops = loops
    hostOrder = HostOrder()
    readers = ConnectionPool(
      configuration, as: .lookups, count: max(1, configuration.readConnectionsPerLoop) * loops.count,
      on: loops,
      hostOrder: hostOrder)
    writers = ConnectionPool(
      configuration, as: .commits, count: max(1, configuration.writeConnections), on: loops,
      hostOrder: hostOrder)
  }

  /// Ends all connections. Look-ups in flight fail, the outcome of commits in flight is unknown: finish them before.
  public func close() async {
    await readers.close()
    await writers.close()
  }

  /// Whether there is a connection for look-ups and one for commits.
  public var isHealthy: Bool { problem == nil }

  /// Why there is none; nil when there is.
  public var problem: String? { writers.problem ?? readers.problem }

  // MARK: Statements

  /// Looks something up. Look-ups of one turn of the loop share a round trip, not a snapshot; their sessions are
  /// read-only, and one whose connection was lost is repeated once.
  public func read<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
    var timing = PostgresConnection.Timing.turn
    var isRepeated = false
    while true {
      let lease = try await readers.acquire()
      let outcome = await lease.connection.run(statement, timing: timing)
      switch outcome.verdict {
      case .succeeded, .doubtful:
        if let mistake = outcome.mistake { throw mistake }
        return outcome.rows
      case .notRun:
        // Somebody else's look-up failed; alone in its group nothing can happen to this one.
        timing = .alone
        continue
      case .failed(let error):
        if isRepeated || !error.isStaleStatement { throw error.whenRefused }
      case .lost(.timedOut):
        throw .timedOut
      case .lost(let error), .notSent(let error):
        if isRepeated { throw .unavailable(error.reason) }
      }
      isRepeated = true
    }
  }

  /// Runs a statement in a transaction of its own; returns when its commit was acknowledged without a warning.
  public func commit<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
    var isRepeated = false
    while true {
      let lease = try await writers.acquire()
      let outcome = await lease.connection.run(statement, timing: .alone)
      writers.release(lease)
      switch outcome.verdict {
      case .succeeded:
        if let mistake = outcome.mistake { throw mistake }
        return outcome.rows
      case .doubtful(let warning): throw .outcomeUnknown(warning)
      case .lost(let error): throw .outcomeUnknown(error.reason)
      case .failed(let error):
        if isRepeated || !error.isStaleStatement { throw error.whenRefused }
      case .notSent(let error):
        if isRepeated { throw .unavailable(error.reason) }
      case .notRun: throw .unavailable("the commit was not run")
      }
      isRepeated = true
    }
  }

  /// Runs `body` in a transaction on one connection: COMMIT when it returns, ROLLBACK when it throws or its task is
  /// cancelled. Throws what `body` throws, or a `PostgresError`.
  public func transaction<Result: Sendable>(
    isolation: Transaction.Isolation = .readCommitted, readOnly: Bool = false,
    _ body: (Transaction) async throws -> Result
  ) async throws -> Result {
    let lease = try await writers.acquire()
    defer { writers.release(lease) }
    return try await Transaction.run(on: lease.connection, isolation, readOnly: readOnly, body)
  }

  /// Runs `body` on a connection of its own, which is closed afterwards: for migrations, session locks and settings.
  public func session<Result: Sendable>(
    _ body: (PostgresSession) async throws -> Result
  ) async throws -> Result {
    let session = try await PostgresSession.open(configuration, on: loops[0], hostOrder: hostOrder)
    do {
      let result = try await body(session)
      await session.close()
      return result
    } catch {
      await session.close()
      throw error
    }
  }
}
