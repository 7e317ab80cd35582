import Reactor

/// One connection on one loop, from its first attempt to its end; it never comes back, somebody makes another.
///
/// An actor on the loop's thread: calls from a task of the same loop need no hop.
actor PostgresConnection: EventSource {
  enum Role {
    /// Read-only; any number of look-ups at the same time.
    case lookups
    /// One commit or transaction at a time.
    case commits
    /// Somebody's own, who may take long.
    case session
  }

  enum Event: Sendable {
    case opened
    /// It is over: it could not be opened, or it was lost, or it was closed.
    case closed(PostgresError)
    /// Somebody notified a channel that this session listens to.
    case notified(String)
  }

  enum Phase {
    case idle
    /// Names are looked up.
    case resolving
    /// libpq waits for its socket to become readable, or else writable.
    case connecting(isReading: Bool)
    /// Connected; the session gets its settings.
    case settingUp
    case ready
    /// A simple query or a copy is under way, outside of pipeline mode.
    case simple
    case closed(PostgresError)
  }

  nonisolated let loop: EventLoop
  nonisolated let configuration: PostgresConfiguration
  nonisolated let role: Role
  let hostOrder: HostOrder

  var phase = Phase.idle
  var onEvent: (@Sendable (Event) -> Void)?
  var link: PQConnection?
  private var registration: Registration?

  var candidates: [PostgresConfiguration.Candidate] = []
  var attempts: [String] = []
  var connectTimer: TimerID?

  var pipeline = PipelineMachine<Operation>()
  /// Kept for its memory.
  var parameters = Parameters()
  /// The names of the prepared statements by their number.
  var names: [Int: String] = [:]
  var isSyncPlanned = false
  var deadlineTimer: TimerID?
  var simple: SimpleQuery?
  /// The number of the last transaction, or of none between two.
  var transaction: UInt64 = 0

  init(
    _ configuration: PostgresConfiguration, as role: Role, on loop: EventLoop,
    hostOrder: HostOrder = HostOrder(),
    onEvent: @escaping @Sendable (Event) -> Void
  ) {
    self.configuration = configuration
    self.role = role
    self.loop = loop
    self.hostOrder = hostOrder
    self.onEvent = onEvent
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    // SAFETY: the connection keeps its loop, and the loop its executor.
    unsafe loop.unownedExecutor
  }

  /// Begins to connect, from any thread.
  nonisolated func start() { loop.submit { _ in self.assumeIsolated { $0.begin() } } }

  /// Ends the connection; what is under way is settled as lost.
  func close() { end(.unavailable("the connection was closed")) }

  /// Ends the connection if nobody needs it now.
  nonisolated func endIfIdle() {
    loop.submit { _ in
      self.assumeIsolated {
        if case .ready = $0.phase, $0.pipeline.isIdle, $0.link?.isInTransaction == false {
          $0.end(.unavailable("the server does not answer"))
        }
      }
    }
  }

  func ready(_ readiness: Readiness, on loop: isolated EventLoop) {
    assumeIsolated { $0.ready(readiness) }
  }

  private func ready(_ readiness: Readiness) {
    let isReadable = !readiness.isDisjoint(with: [.readable, .peerClosed, .failed])
    switch phase {
    case .connecting(let isReading):
      if isReading ? isReadable : !readiness.isDisjoint(with: [.writable, .failed]) { poll() }
    case .settingUp, .ready, .simple:
      if readiness.contains(.writable) { flush() }
      if isReadable { receive() }
    case .idle, .resolving, .closed: break
    }
  }

  /// Watches libpq's socket, from its present state on: after each step of connecting it may be another one.
  func watch() {
    unwatch()
    guard let socket = link?.socket, socket >= 0 else { return }
    registration = try? loop.assumeIsolated { try $0.register(self, rawDescriptor: socket) }
  }

  func unwatch() {
    if let registration { loop.assumeIsolated { $0.deregister(registration) } }
    registration = nil
  }

  // MARK: The loop, on whose thread this runs

  var now: MonotonicInstant { loop.assumeIsolated { $0.now } }

  /// Plans `action` on this connection, for whoever cancels it.
  func schedule(
    at deadline: MonotonicInstant, _ action: @escaping @Sendable (isolated PostgresConnection) -> Void
  ) -> TimerID {
    let action: @Sendable (isolated EventLoop) -> Void = { _ in self.assumeIsolated(action) }
    return loop.assumeIsolated { loop in loop.schedule(at: deadline, action) }
  }

  func afterTurn(_ action: @escaping @Sendable (isolated PostgresConnection) -> Void) {
    let action: @Sendable (isolated EventLoop) -> Void = { _ in self.assumeIsolated(action) }
    loop.assumeIsolated { loop in loop.afterTurn(action) }
  }

  func cancel(_ timer: inout TimerID?) {
    if let timer { loop.assumeIsolated { $0.cancel(timer) } }
    timer = nil
  }

  /// The connection is over: everything that is under way is settled, and nothing else begins.
  func end(_ error: PostgresError) {
    if case .closed = phase { return }
    phase = .closed(error)
    cancel(&connectTimer)
    cancel(&deadlineTimer)
    unwatch()
    link = nil
    for (operation, verdict) in pipeline.lost(error) { operation.settle(verdict) }
    simple.take()?.done(error)
    onEvent.take()?(.closed(error))
  }
}
