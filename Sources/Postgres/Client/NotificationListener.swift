public import Reactor

/// Listens to a channel (PostgreSQL manual, NOTIFY) on a direct connection of its own, and comes back when that is lost.
///
/// A notification is only a hint to look: some are lost, so one is given after each connection too.
public final class NotificationListener: Sendable {
  private struct State {
    var connection: PostgresConnection?
    var failures = 0
    var isClosed = false
  }

  private let configuration: PostgresConfiguration
  private let channel: StaticString
  private let loop: EventLoop
  private let hint: @Sendable () -> Void
  private let state = Lock(State())

  /// Begins to listen, and goes on until `close`. `hint` is called on the loop, and must not wait.
  ///
  /// `channel` is an SQL identifier.
  public init(
    _ configuration: PostgresConfiguration, channel: StaticString, on loop: EventLoop,
    hint: @escaping @Sendable () -> Void
  ) {
    self.configuration = configuration
    self.channel = channel
    self.loop = loop
    self.hint = hint
    connect()
  }

  private func connect() {
    let connection = PostgresConnection(configuration, as: .session, on: loop) { event in
      switch event {
      case .opened: self.listen()
      case .closed: self.reconnect()
      case .notified: self.hint()
      }
    }
    let isClosed = state.withLock { state in
      if !state.isClosed { state.connection = connection }
      return state.isClosed
    }
    if !isClosed { connection.start() }
  }

  private func listen() {
    guard let connection = state.withLock({ $0.connection }) else { return }
    connection.assumeIsolated {
      $0.startSimple("LISTEN \(channel)") { error in
        if error != nil { return connection.assumeIsolated { $0.close() } }
        self.state.withLock { $0.failures = 0 }
        self.hint()
      }
    }
  }

  private func reconnect() {
    let rest = state.withLock { state in
      state.failures += 1
      state.connection = nil
      return Backoff().delay(after: state.failures, chance: .random(in: 0...1))
    }
    loop.submit { loop in
      loop.schedule(after: rest) { _ in self.connect() }
    }
  }

  /// Stops listening.
  public func close() async {
    let connection = state.withLock { state in
      state.isClosed = true
      return state.connection
    }
    await connection?.close()
  }
}
