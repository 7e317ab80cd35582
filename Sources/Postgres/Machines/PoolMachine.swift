/// A bounded set of connections and those who wait for one, without any I/O.
///
/// Each slot holds one connection or is on its way to one: it connects, rests after a failure for ever longer (with
/// jitter, so that many servers do not come back at the same moment), and connects again when its connection is lost.
/// Who asks while nothing could be connected lately is refused at once.
struct PoolMachine<Connection>: ~Copyable {
  typealias Slot = Int
  typealias Waiter = UInt64

  /// How connections are used.
  enum Use {
    /// Any number of callers at the same time, nothing to give back.
    case shared
    /// One caller at a time, who gives it back.
    case exclusive
  }

  /// A connection in use. A lost connection's lease gives nothing back.
  struct Lease {
    let slot: Slot
    let connection: Connection
    fileprivate let epoch: UInt64
  }

  enum Answer {
    case take(Lease)
    /// A connection will be handed over, or the waiter gives up.
    case wait
    case refuse(PostgresError)
  }

  /// What the end of a connection or of an attempt leads to.
  struct Failure {
    /// Connect again after this.
    let rest: Duration
    /// These waited in vain.
    let refused: [Waiter]
  }

  /// Each slot by itself.
  private enum SlotState {
    /// Can transition to: `ready`, `leased`, `resting`. `failures` counts the attempts before this one.
    case connecting(failures: Int)
    /// Can transition to: `leased`, `resting`.
    case ready(Connection, epoch: UInt64)
    /// Can transition to: `ready`, `resting`.
    case leased(Connection, epoch: UInt64)
    /// Can transition to: `connecting`.
    case resting(failures: Int)
  }

  private enum State: ~Copyable {
    /// Can transition to: `closed`.
    case open(Open)
    /// Final.
    case closed

    mutating func whileOpen<Result>(_ body: (inout Open) -> Result) -> Result? {
      switch consume self {
      case .open(var open):
        let result = body(&open)
        self = .open(open)
        return result
      case .closed:
        self = .closed
        return nil
      }
    }
  }

  private struct Open: ~Copyable {
    var slots: [SlotState]
    var queue = Queue<Waiter>()
    /// Those of the queue who did not give up.
    var waiting: Set<Waiter> = []
    var lastEpoch: UInt64 = 0
    /// Where the next search for a connection begins.
    var turn = 0
    /// Why a connection was lost or not made last.
    var problem: String?

    /// Somebody has a connection, or could.
    var isConnected: Bool {
      slots.contains { if case .ready = $0 { true } else if case .leased = $0 { true } else { false } }
    }

    /// Waiting makes sense: something is connected, or tries to for the first time.
    var hasProspect: Bool {
      slots.contains {
        switch $0 {
        case .connecting(let failures), .resting(let failures): failures == 0
        case .ready, .leased: true
        }
      }
    }

    /// A ready connection, of the loop `home` if there is one; each in turn.
    mutating func find(near home: Int?, homes: [Int]) -> Slot? {
      var found: Slot?
      for step in slots.indices {
        let slot = (turn + step) % slots.count
        guard case .ready = slots[slot] else { continue }
        if homes[slot] == home || home == nil {
          found = slot
          break
        }
        found = found ?? slot
      }
      if let found { turn = (found + 1) % slots.count }
      return found
    }

    mutating func take(_ slot: Slot, _ use: Use) -> Lease? {
      guard case .ready(let connection, let epoch) = slots[slot] else { return nil }
      if use == .exclusive { slots[slot] = .leased(connection, epoch: epoch) }
      return Lease(slot: slot, connection: connection, epoch: epoch)
    }

    /// Gives a ready connection to whoever has waited longest.
    mutating func handOver(_ slot: Slot, _ use: Use) -> (waiter: Waiter, lease: Lease)? {
      while case .ready = slots[slot], let waiter = queue.popFirst() {
        if waiting.remove(waiter) != nil, let lease = take(slot, use) { return (waiter, lease) }
      }
      return nil
    }

    mutating func dismiss() -> [Waiter] {
      defer { (queue, waiting) = (Queue(), []) }
      return queue.filter(waiting.contains)
    }
  }

  private let use: Use
  /// The loop of each slot, by its position.
  private let homes: [Int]
  private let backoff: Backoff
  private var state: State

  /// `homes` says on which loop each slot's connection lives.
  init(_ use: Use, homes: [Int], backoff: Backoff = Backoff()) {
    self.use = use
    self.homes = homes
    self.backoff = backoff
    state = .open(Open(slots: homes.map { _ in .connecting(failures: 0) }))
  }

  /// Why nobody gets a connection; nil while somebody could.
  var problem: String? {
    switch state {
    case .open(let open): open.isConnected ? nil : open.problem ?? "not connected yet"
    case .closed: "closed"
    }
  }

  // MARK: Those who need a connection

  /// A connection for somebody on the loop `home` (nil: on none), if one is ready.
  mutating func take(near home: Int?) -> Lease? {
    let (use, homes) = (use, homes)
    return state.whileOpen { open in open.find(near: home, homes: homes).flatMap { open.take($0, use) } }
      ?? nil
  }

  /// The same, or a place among those who wait.
  mutating func request(_ waiter: Waiter, near home: Int?) -> Answer {
    let (use, homes) = (use, homes)
    return state.whileOpen { open in
      if let lease = open.find(near: home, homes: homes).flatMap({ open.take($0, use) }) {
        return .take(lease)
      }
      if !open.hasProspect { return .refuse(.unavailable(open.problem ?? "not connected")) }
      open.waiting.insert(waiter)
      open.queue.append(waiter)
      return .wait
    } ?? .refuse(.unavailable("closed"))
  }

  /// A waiter will not wait any longer. false: it does not wait, because it was answered.
  mutating func gaveUp(_ waiter: Waiter) -> Bool {
    state.whileOpen { $0.waiting.remove(waiter) != nil } ?? false
  }

  /// An exclusive connection is free again.
  mutating func release(_ lease: Lease) -> (waiter: Waiter, lease: Lease)? {
    state.whileOpen { open in
      guard case .leased(let connection, lease.epoch) = open.slots[lease.slot] else { return nil }
      open.slots[lease.slot] = .ready(connection, epoch: lease.epoch)
      return open.handOver(lease.slot, .exclusive)
    } ?? nil
  }

  // MARK: What becomes of the connections

  /// A slot has its connection; those who waited get it.
  mutating func connected(_ slot: Slot, _ connection: Connection) -> [(waiter: Waiter, lease: Lease)] {
    let use = use
    return state.whileOpen { open in
      open.lastEpoch += 1
      open.slots[slot] = .ready(connection, epoch: open.lastEpoch)
      open.problem = nil
      var served: [(Waiter, Lease)] = []
      while let next = open.handOver(slot, use) { served.append(next) }
      return served
    } ?? []
  }

  /// A slot's connection was lost, or its attempt failed. `chance` is a random number from 0 to 1.
  mutating func ended(_ slot: Slot, because reason: String, chance: Double) -> Failure? {
    let backoff = backoff
    return state.whileOpen { open in
      let failures =
        switch open.slots[slot] {
        case .connecting(let failures): failures + 1
        // The first attempt after a loss comes almost at once, and is worth waiting for.
        case .ready, .leased: 0
        case .resting(let failures): failures
        }
      open.slots[slot] = .resting(failures: failures)
      open.problem = reason
      return Failure(
        rest: backoff.delay(after: failures, chance: chance), refused: open.hasProspect ? [] : open.dismiss())
    }
  }

  /// A slot's rest is over. true: connect.
  mutating func rested(_ slot: Slot) -> Bool {
    state.whileOpen { open in
      guard case .resting(let failures) = open.slots[slot] else { return false }
      open.slots[slot] = .connecting(failures: failures)
      return true
    } ?? false
  }

  /// Nobody gets a connection any more.
  mutating func close() { state = .closed }
}

extension PoolMachine.Lease: Sendable where Connection: Sendable {}
