public import Licensing
public import Reactor
public import Synchronization

/// A seat as memory holds it: what the database stated, and how long ago.
public final class HeldSeat: Sendable {
  public let seat: Seat
  /// When the question was sent: the statement is at least as old.
  public let askedAt: MonotonicInstant
  @usableFromInline let derivative = AtomicLazyReference<any AnyObject & Sendable>()
  private let kept = Atomic(false)

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

  /// What was made of the seat, if anything was.
  @inlinable public func derived<Object: AnyObject & Sendable>(as type: Object.Type) -> Object? {
    derivative.load() as? Object
  }

  /// Whether memory has it: what was kept and is no longer must not be used again.
  fileprivate(set) var isKept: Bool {
    get { kept.load(ordering: .acquiring) }
    set { kept.store(newValue, ordering: .releasing) }
  }

  /// The database's time now, as far as this server can tell without asking; never early.
  public func databaseTime(at now: MonotonicInstant = .now) -> Instant {
    Instant(microseconds: seat.statedAt.microseconds + (now.nanoseconds - askedAt.nanoseconds) / 1000)
  }
}

/// The seats that this server granted or read, so that checking one needs no database.
///
/// A miss or an expired entry asks the database once; absence is never kept. An entry never outlives its seat's
/// `expiresAt`, and is dropped when the change feed says that the seat was lost, or that something it is made of changed.
public final class HeldSeats: Sendable {
  fileprivate struct Holder: Hashable {
    let identity: Key<Identity>
    let product: Key<Product>
  }

  fileprivate struct Entry {
    let held: HeldSeat
    let organization: Key<Organization>
  }

  fileprivate struct Shard {
    private(set) var entries: [Holder: Entry] = [:]
    /// When the feed last spoke of what a seat is made of: an older answer that is still on its way must not bring back
    /// what it was.
    var changes: [Change: MonotonicInstant] = [:]
    /// When the last of them was heard of: what was asked since needs no looking through.
    var latestChange = MonotonicInstant(nanoseconds: .min)
    var end = MonotonicInstant(nanoseconds: .min)
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
    return shard(identity).withLock { shard -> HeldSeat? in
      guard let held = shard.entries[holder]?.held else { return nil }
      if held.isLive(at: now) { return held }
      shard.remove(holder)
      return nil
    }
  }

  /// Keeps a seat, unless memory has a newer statement of it, or has heard of a change since the question was sent.
  public func keep(
    _ held: HeldSeat, of identity: Key<Identity>, organization: Key<Organization>, product: Key<Product>
  ) {
    let holder = Holder(identity: identity, product: product)
    shard(identity).withLock { shard in
      if held.askedAt <= shard.end { return }
      if held.askedAt <= shard.latestChange {
        let parts: [Change] = [
          .seatLost(organization, product, identity), .identity(organization, identity),
          .license(organization, product), .organization(organization), .product(product),
        ]
        if parts.contains(where: { held.askedAt <= shard.changes[$0] ?? shard.end }) { return }
      }
      let known = shard.entries[holder]?.held
      if let known, known.seat.isNewer(than: held.seat) { return }
      if known == nil, shard.entries.count >= shardCapacity { shard.makeRoom() }
      shard.put(Entry(held: held, organization: organization), for: holder)
    }
  }

  /// The holder gave the seat up, or was refused one.
  public func drop(_ identity: Key<Identity>, organization: Key<Organization>, product: Key<Product>) {
    let holder = Holder(identity: identity, product: product)
    shard(identity).withLock { $0.drop(holder, since: .seatLost(organization, product, identity)) }
  }

  /// Drops the seats that these changes may concern; they are read again when somebody asks.
  public func heard(of changes: Set<Change>) {
    var wide: Set<Change> = []
    var narrow: [Int: Set<Change>] = [:]
    for change in changes {
      switch change {
      case .seatLost(_, _, let identity), .identity(_, let identity):
        narrow[place(identity), default: []].insert(change)
      case .license, .organization, .product: wide.insert(change)
      case .authority, .certificate: break  // no part of a seat
      }
    }
    for (place, shard) in shards.enumerated() {
      let changes = wide.union(narrow[place] ?? [])
      if !changes.isEmpty { shard.withLock { $0.drop(changes) } }
    }
  }

  public func dropAll() {
    for shard in shards {
      shard.withLock { shard in
        shard.end = .now
        shard.remove { _, _ in true }
        shard.changes = [:]
      }
    }
  }

  private func shard(_ identity: Key<Identity>) -> Lock<Shard> { shards[place(identity)] }

  private func place(_ identity: Key<Identity>) -> Int {
    Int(truncatingIfNeeded: identity.rawValue & Int64.max) % shards.count
  }
}

// Every way in and out, so that each seat knows whether it is kept.
extension HeldSeats.Shard {
  fileprivate mutating func put(_ entry: HeldSeats.Entry, for holder: HeldSeats.Holder) {
    entries.updateValue(entry, forKey: holder)?.held.isKept = false
    entry.held.isKept = true
  }

  fileprivate mutating func remove(_ holder: HeldSeats.Holder) {
    entries.removeValue(forKey: holder)?.held.isKept = false
  }

  fileprivate mutating func remove(where goes: (HeldSeats.Holder, HeldSeats.Entry) -> Bool) {
    entries = entries.filter { holder, entry in
      guard goes(holder, entry) else { return true }
      entry.held.isKept = false
      return false
    }
  }
}

extension HeldSeats.Shard {
  /// Of all changes the one that every release makes.
  fileprivate mutating func drop(_ holder: HeldSeats.Holder, since change: Change) {
    changes[change] = heardNow(of: 1)
    remove(holder)
  }

  /// The time, at which so many changes more are heard of; those are forgotten that no answer can be older than.
  private mutating func heardNow(of count: Int) -> MonotonicInstant {
    latestChange = .now
    if changes.count + count > 4096 {
      let horizon = latestChange.advanced(by: .seconds(-60))
      changes = changes.filter { $0.value > horizon }
    }
    return latestChange
  }

  /// Looks through all entries once, and not at all for seats that are named.
  fileprivate mutating func drop(_ news: Set<Change>) {
    let now = heardNow(of: news.count)
    var identities: Set<Key<Identity>> = []
    var organizations: Set<Key<Organization>> = []
    var products: Set<Key<Product>> = []
    var licenses: Set<Change> = []
    for change in news {
      changes[change] = now
      switch change {
      case .seatLost(_, let product, let identity):
        remove(HeldSeats.Holder(identity: identity, product: product))
      case .identity(_, let identity): identities.insert(identity)
      case .organization(let organization): organizations.insert(organization)
      case .product(let product): products.insert(product)
      case .license: licenses.insert(change)
      case .authority, .certificate: break
      }
    }
    if identities.isEmpty, organizations.isEmpty, products.isEmpty, licenses.isEmpty { return }
    remove { holder, entry in
      identities.contains(holder.identity) || organizations.contains(entry.organization)
        || products.contains(holder.product)
        || !licenses.isEmpty && licenses.contains(.license(entry.organization, holder.product))
    }
  }

  /// Expired ones go; if there are none, any few: they will be read again when asked for.
  fileprivate mutating func makeRoom() {
    let now = MonotonicInstant.now
    let before = entries.count
    remove { _, entry in !entry.held.isLive(at: now) }
    if entries.count == before {
      for holder in entries.keys.prefix(before / 8 + 1) { remove(holder) }
    }
  }
}

extension HeldSeat {
  func isLive(at now: MonotonicInstant) -> Bool {
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
