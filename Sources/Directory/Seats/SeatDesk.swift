public import Licensing
public import Reactor

/// Where devices get their seats: claims go to the database in batches, checks are answered from memory.
public final class SeatDesk: Sendable {
  private struct Line: Hashable {
    let organization: Key<Organization>
    let product: Key<Product>
  }

  let store: any SeatStore
  private let loops: [EventLoop]
  private let feed: FeedHealth
  private let combiners = Lock<[Line: SeatCombiner]>([:])
  private let products = Lock<[ProductCode: Key<Product>]>([:])
  private let productsForgotten = Generation()
  public let held: HeldSeats
  public let watches: SeatWatches

  /// `loops` are those that requests run on.
  public init(
    store: any SeatStore, on loops: [EventLoop], held: HeldSeats, watches: SeatWatches,
    feed: FeedHealth
  ) {
    self.store = store
    self.loops = loops
    self.held = held
    self.watches = watches
    self.feed = feed
  }

  /// What became of a request.
  public enum Decision: Sendable {
    /// A new seat.
    case granted(HeldSeat)
    /// The seat already held, for a while longer; and as memory had it before, if it did.
    case renewed(HeldSeat, after: HeldSeat?)
    case released
    case refused(SeatRefusal)
  }

  /// Claims, renews or releases. Thrown at once when the change feed is not fresh: nothing is granted half blind.
  public func decide(
    _ operation: SeatRequest.Operation, wish: SeatWish = .none, identity: Key<Identity>,
    organization: Key<Organization>, product: ProductCode
  ) async throws(StorageError) -> Decision {
    guard feed.freshness() == .fresh else { throw .unavailable("the change feed is not fresh") }
    guard let key = try await self.key(of: product) else {
      return .refused(SeatRefusal(reason: .productUnknown))
    }
    let askedAt = MonotonicInstant.now
    let known = held.seat(of: identity, product: key)
    let request = SeatRequest(
      identity: identity, operation: operation, wish: wish, isBelievedHeld: known != nil)
    func keep(_ seat: Seat) -> HeldSeat {
      let fresh = HeldSeat(seat: seat, askedAt: askedAt)
      held.keep(fresh, of: identity, organization: organization, product: key)
      return fresh
    }
    switch try await combiner(organization, key).decide(request) {
    case .granted(let seat): return .granted(keep(seat))
    case .renewed(let seat): return .renewed(keep(seat), after: known)
    case .released:
      held.drop(identity, organization: organization, product: key)
      return .released
    case .refused(let refusal):
      held.drop(identity, organization: organization, product: key)
      return .refused(refusal)
    }
  }

  /// What `decide` would answer now; nothing is changed.
  public func preview(
    _ operation: SeatRequest.Operation, wish: SeatWish = .none, identity: Key<Identity>,
    organization: Key<Organization>, product: ProductCode
  ) async throws(StorageError) -> SeatOutcome {
    guard let key = try await self.key(of: product) else {
      return .refused(SeatRefusal(reason: .productUnknown))
    }
    return try await store.preview(
      SeatRequest(identity: identity, operation: operation, wish: wish), organization: organization,
      product: key)
  }

  /// The seat held, from memory where possible; nil when there is none.
  public func seat(
    of identity: Key<Identity>, organization: Key<Organization>, product: ProductCode
  ) async throws(StorageError) -> HeldSeat? {
    if let known = try seatInMemory(of: identity, product: product) { return known.held }
    guard feed.freshness() == .fresh else { throw .unavailable("the change feed is not fresh") }
    guard let key = try await self.key(of: product) else { return nil }
    let askedAt = MonotonicInstant.now
    guard let seat = try await store.seat(of: identity, organization: organization, product: key) else {
      return nil
    }
    let fresh = HeldSeat(seat: seat, askedAt: askedAt)
    held.keep(fresh, of: identity, organization: organization, product: key)
    return fresh
  }

  /// The seat held, if memory has it.
  public func seatInMemory(of identity: Key<Identity>, product: ProductCode) throws(StorageError)
    -> KnownSeat?
  {
    if feed.freshness() == .lost { throw .unavailable("the database has been away for too long") }
    let forgotten = productsForgotten.value
    guard let key = knownKey(of: product), let seat = held.seat(of: identity, product: key) else {
      return nil
    }
    return KnownSeat(held: seat, identity: identity, products: forgotten)
  }

  /// Whether `seatInMemory` would find the same seat of this identity, and of the same product, again.
  public func stillHas(_ known: KnownSeat, of identity: Key<Identity>) -> Bool {
    let now = MonotonicInstant.now
    return known.identity == identity && known.held.isKept && known.held.isLive(at: now)
      && known.products == productsForgotten.value && feed.freshness(at: now) != .lost
  }

  public func seats(of identity: Key<Identity>, organization: Key<Organization>) async throws(StorageError)
    -> [(product: ProductCode, held: HeldSeat)]
  {
    let askedAt = MonotonicInstant.now
    return try await store.seats(of: identity, organization: organization).map {
      ($0.product, HeldSeat(seat: $0.seat, askedAt: askedAt))
    }
  }

  /// Forgets which products there are: one was made, renamed or deleted.
  public func forgetProducts() {
    products.withLock { $0 = [:] }
    productsForgotten.advance()
  }

  /// The product of a code that somebody asked for before.
  func knownKey(of code: ProductCode) -> Key<Product>? { products.withLock { $0[code] } }

  private func key(of code: ProductCode) async throws(StorageError) -> Key<Product>? {
    if let known = knownKey(of: code) { return known }
    guard let key = try await store.product(code) else { return nil }
    products.withLock { $0[code] = key }
    return key
  }

  private func combiner(_ organization: Key<Organization>, _ product: Key<Product>) -> SeatCombiner {
    let line = Line(organization: organization, product: product)
    return combiners.withLock { combiners in
      if let known = combiners[line] { return known }
      let combiner = SeatCombiner(organization: organization, product: product, on: loops, store: store)
      combiners[line] = combiner
      return combiner
    }
  }
}
