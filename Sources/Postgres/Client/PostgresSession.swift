import Reactor

/// A connection of one's own, without a limit of time on what it runs.
public struct PostgresSession: Sendable {
  private let connection: PostgresConnection

  static func open(
    _ configuration: PostgresConfiguration, on loop: EventLoop, hostOrder: HostOrder
  ) async throws(PostgresError) -> PostgresSession {
    let opening = Opening()
    let connection = PostgresConnection(configuration, as: .session, on: loop, hostOrder: hostOrder) {
      event in
      switch event {
      case .opened: opening.finish(nil)
      case .closed(let error): opening.finish(error)
      case .notified: break
      }
    }
    connection.start()
    if let error = await opening.error() { throw error }
    return PostgresSession(connection: connection)
  }

  func close() async { await connection.close() }

  /// Runs a statement in a transaction of its own, or in the one that `simple("BEGIN")` began.
  public func run<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
    let outcome = await connection.run(statement, timing: .alone)
    switch outcome.verdict {
    case .succeeded:
      if let mistake = outcome.mistake { throw mistake }
      return outcome.rows
    case .doubtful(let warning): throw .outcomeUnknown(warning)
    case .failed(let error): throw error
    case .notRun: throw .unavailable("the statement was not run")
    case .lost(let error): throw .outcomeUnknown(error.reason)
    case .notSent(let error): throw .unavailable(error.reason)
    }
  }

  /// Runs any number of statements as text, in the server's simple protocol: without parameters or rows, and in one
  /// transaction unless they say otherwise.
  public func simple(_ sql: String) async throws(PostgresError) { try await connection.simple(sql) }

  /// Runs `COPY … FROM STDIN` and sends it `bytes`.
  public func copy(_ sql: String, from bytes: [UInt8]) async throws(PostgresError) {
    try await connection.simple(sql, copying: bytes)
  }

  /// Runs `body` in a transaction of this session.
  public func transaction<Result: Sendable>(
    isolation: Transaction.Isolation = .readCommitted, readOnly: Bool = false,
    _ body: (Transaction) async throws -> Result
  ) async throws -> Result {
    try await Transaction.run(on: connection, isolation, readOnly: readOnly, body)
  }
}

/// Waits for the first thing that a connection says.
private final class Opening: Sendable {
  private struct State {
    var error: PostgresError??
    var waiting: CheckedContinuation<PostgresError?, Never>?
  }

  private let state = Lock(State())

  func finish(_ error: PostgresError?) {
    let waiting = state.withLock { state in
      state.error = state.error ?? .some(error)
      return state.waiting.take()
    }
    waiting?.resume(returning: error)
  }

  func error() async -> PostgresError? {
    await withCheckedContinuation { continuation in
      let known: PostgresError?? = state.withLock { state in
        if state.error == nil { state.waiting = continuation }
        return state.error
      }
      if let known { continuation.resume(returning: known) }
    }
  }
}
