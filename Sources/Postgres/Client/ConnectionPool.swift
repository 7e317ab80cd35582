import Reactor

/// Drives a `PoolMachine`: makes its connections, rests between attempts, and wakes those who wait.
///
/// Behind a lock, because callers come from every loop; what is done under it is a few comparisons.
final class ConnectionPool: Sendable {
  typealias Lease = PoolMachine<PostgresConnection>.Lease
  private typealias Waiting = CheckedContinuation<Result<Lease, PostgresError>, Never>

  private struct State: ~Copyable {
    var machine: PoolMachine<PostgresConnection>
    /// The connection of each slot, or the attempt at one.
    var current: [Int: PostgresConnection] = [:]
    var waiting: [UInt64: Waiting] = [:]
    var lastWaiter: UInt64 = 0
  }

  private let configuration: PostgresConfiguration
  private let role: PostgresConnection.Role
  private let loops: [EventLoop]
  private let hostOrder: HostOrder
  private let state: Lock<State>

  /// A pool of `count` connections spread over the loops.
  init(
    _ configuration: PostgresConfiguration, as role: PostgresConnection.Role, count: Int,
    on loops: [EventLoop],
    hostOrder: HostOrder
  ) {
    self.configuration = configuration
    self.role = role
    self.loops = loops
    self.hostOrder = hostOrder
    state = Lock(
      State(
        machine: PoolMachine(
          role == .lookups ? .shared : .exclusive, homes: (0..<count).map { $0 % loops.count })))
    for slot in 0..<count { connect(slot) }
  }

  var problem: String? { state.withLock { $0.machine.problem } }

  // MARK: Callers

  /// A connection, of the caller's loop if possible. Exclusive ones are given back.
  func acquire() async throws(PostgresError) -> Lease {
    let home = loops.firstIndex { $0.isCurrent }
    if let lease = state.withLock({ $0.machine.take(near: home) }) { return lease }
    let answer = await loops[home ?? 0].suspend { continuation in
      let answer: (Result<Lease, PostgresError>)? = state.withLock { state in
        state.lastWaiter += 1
        let waiter = state.lastWaiter
        switch state.machine.request(waiter, near: home) {
        case .take(let lease): return .success(lease)
        case .refuse(let error): return .failure(error)
        case .wait:
          state.waiting[waiter] = continuation
          limit(waiter)
          return nil
        }
      }
      if let answer { continuation.resume(returning: answer) }
    }
    return try answer.get()
  }

  func release(_ lease: Lease) {
    let next = state.withLock { state -> (Waiting?, Lease)? in
      guard let next = state.machine.release(lease) else { return nil }
      return (state.waiting.removeValue(forKey: next.waiter), next.lease)
    }
    if let (continuation, lease) = next { continuation?.resume(returning: .success(lease)) }
  }

  private func limit(_ waiter: UInt64) {
    let limit = configuration.acquireTimeout
    loops[0].submit { loop in
      loop.schedule(after: limit) { _ in self.giveUp(waiter) }
    }
  }

  private func giveUp(_ waiter: UInt64) {
    let (continuation, problem) = state.withLock { state in
      let isWaiting = state.machine.gaveUp(waiter)
      return (isWaiting ? state.waiting.removeValue(forKey: waiter) : nil, state.machine.problem)
    }
    let reason = problem ?? "no connection became free within \(configuration.acquireTimeout)"
    continuation?.resume(returning: .failure(.unavailable(reason)))
  }

  // MARK: Connections

  private func connect(_ slot: Int) {
    let home = loops[slot % loops.count]
    let connection = PostgresConnection(configuration, as: role, on: home, hostOrder: hostOrder) { event in
      switch event {
      case .opened: self.opened(slot)
      case .closed(let error): self.closed(slot, error)
      case .notified: break
      }
    }
    state.withLock { $0.current[slot] = connection }
    connection.start()
  }

  private func opened(_ slot: Int) {
    let served = state.withLock { state -> [(Waiting, Lease)] in
      guard let connection = state.current[slot] else { return [] }
      return state.machine.connected(slot, connection).compactMap { next in
        state.waiting.removeValue(forKey: next.waiter).map { ($0, next.lease) }
      }
    }
    for (continuation, lease) in served { continuation.resume(returning: .success(lease)) }
  }

  private func closed(_ slot: Int, _ error: PostgresError) {
    let chance = Double.random(in: 0...1)
    let (rest, refused) = state.withLock { state -> (Duration?, [Waiting]) in
      let failure = state.machine.ended(slot, because: error.reason, chance: chance)
      return (
        failure?.rest, failure?.refused.compactMap { state.waiting.removeValue(forKey: $0) } ?? []
      )
    }
    for continuation in refused { continuation.resume(returning: .failure(.unavailable(error.reason))) }
    if error == .timedOut { suspect() }
    guard let rest else { return }
    loops[slot % loops.count].submit { loop in
      loop.schedule(after: rest) { _ in
        if self.state.withLock({ $0.machine.rested(slot) }) { self.connect(slot) }
      }
    }
  }

  /// A server that left one call unanswered would leave the next one on every other connection, one time-out each.
  private func suspect() {
    for connection in state.withLock({ Array($0.current.values) }) { connection.endIfIdle() }
  }

  /// Ends every connection; whoever waits or comes later is refused.
  func close() async {
    let (waiting, connections) = state.withLock { state -> ([Waiting], [PostgresConnection]) in
      state.machine.close()
      defer { (state.waiting, state.current) = ([:], [:]) }
      return (Array(state.waiting.values), Array(state.current.values))
    }
    for continuation in waiting { continuation.resume(returning: .failure(.unavailable("closed"))) }
    for connection in connections { await connection.close() }
  }
}
