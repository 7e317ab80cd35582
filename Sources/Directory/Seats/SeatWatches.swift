public import Licensing
public import Reactor

/// Whoever waits for a change of its seat (the long poll), and what wakes them.
///
/// A waiter is an entry here and one timer of its loop: it costs memory and no time. What the change feed brings wakes
/// those whom it may concern, who then look at their seats again. A change between looking and waiting is not missed,
/// since whoever enters names the `Ticket` it took before it looked.
public final class SeatWatches: Sendable {
  /// How many changes had been told when somebody began to look.
  public struct Ticket: Sendable, Hashable { fileprivate let changes: UInt64 }

  fileprivate struct Waiter {
    let id: UInt64
    let product: Key<Product>
    let peer: DevicePeer
    let turn: CheckedContinuation<Void, Never>

    /// Whether what the handshake proved, or whom it was found to be, holds no longer.
    func isOver(at seconds: Int64) -> Bool {
      peer.refusal(at: seconds) != nil || peer.recognized == nil
    }
  }

  private struct Place {
    let organization: Key<Organization>
    let identity: Key<Identity>
    let id: UInt64
  }

  fileprivate struct State {
    var waiters: [Key<Organization>: [Key<Identity>: [Waiter]]] = [:]
    var count = 0
    var lastID: UInt64 = 0
    var changes: UInt64 = 0
    var isClosed = false
  }

  private let loops: [EventLoop]
  private let state = Lock(State())

  /// `loops` are those that requests run on.
  public init(loops: [EventLoop]) {
    precondition(!loops.isEmpty, "whoever waits needs a loop with its timers")
    self.loops = loops
  }

  /// How many wait.
  public var count: Int { state.withLock { $0.count } }

  /// Whether the server ends: nobody waits any more.
  public var isClosed: Bool { state.withLock { $0.isClosed } }

  /// To be taken before looking at what `wait` waits for.
  public var ticket: Ticket { state.withLock { Ticket(changes: $0.changes) } }

  // MARK: Waiting

  /// Returns when something was heard since `ticket` that may concern the seat, at the deadline, when the task is
  /// cancelled, or when the server ends: in short, when it is time to look again.
  public func wait(
    _ peer: DevicePeer, _ identity: Key<Identity>, _ product: Key<Product>, since ticket: Ticket,
    until deadline: MonotonicInstant
  ) async {
    let loop = loops.first { $0.isCurrent } ?? loops[0]
    await wait(peer, identity, product, since: ticket, until: deadline, on: loop)
  }

  private func wait(
    _ peer: DevicePeer, _ identity: Key<Identity>, _ product: Key<Product>, since ticket: Ticket,
    until deadline: MonotonicInstant, on loop: isolated EventLoop
  ) async {
    let place = Place(
      organization: peer.organization.key, identity: identity,
      id: state.withLock {
        $0.lastID += 1
        return $0.lastID
      })
    var timer: TimerID?
    await withTaskCancellationHandler {
      await loop.suspend { turn in
        let waiter = Waiter(id: place.id, product: product, peer: peer, turn: turn)
        // A cancellation until here found nobody to wake; a later one comes to the loop after this.
        guard !Task.isCancelled, enter(waiter, at: place, since: ticket) else { return turn.resume() }
        timer = loop.schedule(at: deadline) { self.wake(place) }
      }
    } onCancel: {
      loop.submit { _ in self.wake(place) }
    }
    if let timer { loop.cancel(timer) }
  }

  private func enter(_ waiter: Waiter, at place: Place, since ticket: Ticket) -> Bool {
    state.withLock { state in
      guard state.changes == ticket.changes, !state.isClosed else { return false }
      state.waiters[place.organization, default: [:]][place.identity, default: []].append(waiter)
      state.count += 1
      return true
    }
  }

  private func wake(_ place: Place) {
    let woken = state.withLock { $0.take(place.organization, place.identity) { $0.id == place.id } }
    for waiter in woken { waiter.turn.resume() }
  }

  // MARK: Waking

  /// Wakes whom these changes may concern; they must be in memory already. `holder` says who has a certificate.
  public func heard(
    of changes: Set<Change>, at seconds: Int64, holder: (Int64) -> Key<Identity>?
  ) {
    let woken = state.withLock { state -> [Waiter] in
      state.changes += 1
      guard state.count > 0 else { return [] }
      return changes.flatMap { change -> [Waiter] in
        switch change {
        case .seatLost(let organization, let product, let identity):
          state.take(organization, identity) { $0.product == product }
        case .identity(let organization, let identity): state.take(organization, identity) { _ in true }
        case .certificate(let organization, let certificate):
          holder(certificate).map { state.take(organization, $0) { $0.isOver(at: seconds) } } ?? []
        case .license(let organization, let product): state.take(organization) { $0.product == product }
        case .organization(let organization): state.take(organization) { _ in true }
        case .authority(let organization, authority: _):
          state.take(organization) { $0.isOver(at: seconds) }
        case .product(let product):
          state.waiters.keys.flatMap { state.take($0) { $0.product == product } }
        }
      }
    }
    for waiter in woken { waiter.turn.resume() }
  }

  /// Wakes everyone: nobody knows what was missed.
  public func heardOfAnything() { wakeAll { $0.changes += 1 } }

  /// Wakes everyone, for good: the server ends.
  public func close() { wakeAll { $0.isClosed = true } }

  private func wakeAll(_ mark: (inout State) -> Void) {
    let woken = state.withLock { state in
      mark(&state)
      return state.waiters.keys.flatMap { state.take($0) { _ in true } }
    }
    for waiter in woken { waiter.turn.resume() }
  }
}

extension SeatWatches.State {
  /// Takes out those of one identity whom `isConcerned` names.
  fileprivate mutating func take(
    _ organization: Key<Organization>, _ identity: Key<Identity>,
    where isConcerned: (SeatWatches.Waiter) -> Bool
  ) -> [SeatWatches.Waiter] {
    guard let present = waiters[organization]?[identity] else { return [] }
    let woken = present.filter(isConcerned)
    guard !woken.isEmpty else { return [] }
    let rest = present.count == woken.count ? nil : present.filter { !isConcerned($0) }
    waiters[organization]?[identity] = rest
    if waiters[organization]?.isEmpty == true { waiters[organization] = nil }
    count -= woken.count
    return woken
  }

  fileprivate mutating func take(
    _ organization: Key<Organization>, where isConcerned: (SeatWatches.Waiter) -> Bool
  ) -> [SeatWatches.Waiter] {
    let identities = waiters[organization].map { Array($0.keys) } ?? []
    return identities.flatMap { take(organization, $0, where: isConcerned) }
  }
}
