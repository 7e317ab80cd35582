public import Licensing
public import Reactor
public import Synchronization

/// A seat as memory holds it: what the database stated, and how long ago.
public final class HeldSeat: Sendable {
  public let seat: Seat
  /// When the question was sent: the statement is at least as old.
  public let askedAt: MonotonicInstant
  @usableFromInline let derivative = AtomicLazyReference<any AnyObject & Sendable>()

  public init(seat: Seat, askedAt: MonotonicInstant) {
    self.seat = seat
    self.askedAt = askedAt
  }

  /// What is made of the seat at the first call and kept with it; always of the same type.
  // Inlinable, so that it is compiled for that type.
  @inlinable public func derived<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
    if let known = derivative.load() as? Object { return known }
    let fresh = make()
    return derivative.storeIfNil(fresh) as? Object ?? fresh
  }

  /// The database's time now, as far as this server can tell without asking; never early.
  public func databaseTime(at now: MonotonicInstant = .now) -> Instant {
    Instant(microseconds: seat.statedAt.microseconds + (now.nanoseconds - askedAt.nanoseconds) / 1000)
  }
}

/// The seats that this server granted or read, so that checking one needs no database.
///
/// A miss or an expired entry asks the database once; absence is never kept. An entry never outlives its seat's
/// `expiresAt`, and is dropped when the change feed says that the seat was lost.
public final class HeldSeats: Sendable {
  fileprivate struct Holder: Hashable {
    let identity: Key<Identity>
    let product: Key<Product>
  }

  fileprivate struct Shard {
    var seats: [Holder: HeldSeat] = [:]
    /// When the feed last took a seat away: an older answer that is still on its way must not bring it back.
    var losses: [Holder: MonotonicInstant] = [:]
    var wideLoss = MonotonicInstant(nanoseconds: .min)
  }

  private let shards: [Lock<Shard>]
  private let shardCapacity: Int

  /// At most `capacity` seats are kept.
  public init(capacity: Int = 1_000_000, shards count: Int = 16) {
    shards = (0..<count).map { _ in Lock(Shard()) }
    shardCapacity = max(1, capacity / count)
  }

  /// The seat, if memory has it and it has not expired.
  public func seat(of identity: Key<Identity>, product: Key<Product>, at now: MonotonicInstant = .now)
    -> HeldSeat?
  {
    let holder = Holder(identity: identity, product: product)
    return shard(holder).withLock { shard -> HeldSeat? in
      guard let held = shard.seats[holder] else { return nil }
      if held.isLive(at: now) { return held }
      shard.seats[holder] = nil
      return nil
    }
  }

  /// Keeps a seat, unless memory has a newer statement of it, or has heard of a loss since the question was sent.
  public func keep(_ held: HeldSeat, of identity: Key<Identity>, product: Key<Product>) {
    let holder = Holder(identity: identity, product: product)
    shard(holder).withLock { shard in
      if let known = shard.seats[holder], known.seat.isNewer(than: held.seat) { return }
      if held.askedAt <= shard.wideLoss { return }
      if let loss = shard.losses[holder], held.askedAt <= loss { return }
      if shard.seats.count >= shardCapacity, shard.seats[holder] == nil { shard.makeRoom() }
      shard.seats[holder] = held
    }
  }

  /// The holder gave the seat up, or was refused one.
  public func drop(_ identity: Key<Identity>, product: Key<Product>) {
    lose(identity, product: product, at: .now)
  }

  /// Drops every seat of a product: a license of it changed.
  public func drop(product: Key<Product>) {
    for shard in shards {
      shard.withLock { shard in
        shard.wideLoss = .now
        shard.seats = shard.seats.filter { $0.key.product != product }
      }
    }
  }

  public func dropAll() {
    for shard in shards {
      shard.withLock { shard in
        shard.wideLoss = .now
        shard.seats = [:]
      }
    }
  }

  private func lose(_ identity: Key<Identity>, product: Key<Product>, at now: MonotonicInstant) {
    let holder = Holder(identity: identity, product: product)
    shard(holder).withLock { shard in
      shard.seats[holder] = nil
      if shard.losses.count >= 4096 {
        let horizon = now.advanced(by: .seconds(-60))
        shard.losses = shard.losses.filter { $0.value > horizon }
      }
      shard.losses[holder] = now
    }
  }

  private func shard(_ holder: Holder) -> Lock<Shard> {
    shards[Int(truncatingIfNeeded: holder.identity.rawValue & Int64.max) % shards.count]
  }
}

extension HeldSeats.Shard {
  /// Expired ones go; if there are none, any few: they will be read again when asked for.
  fileprivate mutating func makeRoom() {
    let now = MonotonicInstant.now
    let before = seats.count
    seats = seats.filter { $0.value.isLive(at: now) }
    if seats.count == before { for holder in seats.keys.prefix(before / 8 + 1) { seats[holder] = nil } }
  }
}

extension HeldSeat {
  fileprivate func isLive(at now: MonotonicInstant) -> Bool {
    let time = databaseTime(at: now)
    // After a loan the seat is another one.
    return seat.expiresAt.map { time < $0 } ?? true && seat.licenseEndsAt.map { time < $0 } ?? true
      && seat.borrowedUntil.map { time < $0 } ?? true
  }
}

extension Seat {
  fileprivate func isNewer(than other: Seat) -> Bool {
    (generation, statedAt.microseconds) > (other.generation, other.statedAt.microseconds)
  }
}
