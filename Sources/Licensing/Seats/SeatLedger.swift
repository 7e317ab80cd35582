/// What the seats of one product of an organization may become, as an executable specification: one request at a time,
/// in memory, by a clock that the caller moves.
///
/// The database decides (`SeatStore`); tests compare it with this. What it leaves out is how: batches, locks, sweeps.
public struct SeatLedger: Sendable {
  /// A license as the rules see it.
  public struct Terms: Sendable {
    public var model: License.Model
    public var status: License.Status
    public var terms: LicenseTerms
    /// The product's features overridden by the license's.
    public var features: Features

    public init(
      model: License.Model = .floating, status: License.Status = .active, terms: LicenseTerms,
      features: Features = [:]
    ) {
      self.model = model
      self.status = status
      self.terms = terms
      self.features = features
    }
  }

  /// One identity's hold; nil `expiresAt`: assigned for good.
  public struct Hold: Sendable, Equatable {
    public var license: Identifier
    public var isAssigned: Bool
    public var isOverdraft: Bool
    public var generation: Int64
    public var expiresAt: Instant?
    public var lentUntil: Instant?
    public var isAtRisk = false

    func isLive(at now: Instant) -> Bool { expiresAt.map { $0 > now } ?? true }
    func isLent(at now: Instant) -> Bool { lentUntil.map { $0 > now } ?? false }
  }

  public internal(set) var holds: [Key<Identity>: Hold] = [:]
  /// In the order in which they were made: of two that end together, the older one gives its seats first.
  var order: [Identifier] = []
  var licenses: [Identifier: Terms] = [:]
  var reservations: [Identifier: Set<Key<Identity>>] = [:]
  var cooling: [Identifier: [Key<Identity>: Instant]] = [:]
  var blocks: [Key<Identity>: Instant] = [:]
  var suspended: Set<Key<Identity>> = []
  var clock: Int64 = 0

  public init() {}
}

extension SeatLedger {
  /// How full a license is.
  public func usage(of license: Identifier, at now: Instant) -> LicenseUsage {
    let (terms, held) = (licenses[license]?.terms, held(of: license, at: now))
    let dormant = Int64(
      terms?.hasEnded(at: now) == true
        ? holds.values.count { $0.license == license && $0.isAssigned && !$0.isLent(at: now) } : 0)
    return LicenseUsage(
      held: held - dormant, reserved: used(license, at: now) - held, limit: terms?.limit(at: now) ?? 0,
      dormant: dormant)
  }

  /// The live seat of an identity, whether or not its license is in force.
  public func live(_ identity: Key<Identity>, at now: Instant) -> Hold? {
    holds[identity].flatMap { $0.isLive(at: now) ? $0 : nil }
  }

  func live(_ identity: Key<Identity>, of license: Identifier, at now: Instant) -> Hold? {
    live(identity, at: now).flatMap { $0.license == license ? $0 : nil }
  }

  func held(of license: Identifier, at now: Instant) -> Int64 {
    Int64(holds.values.count { $0.license == license && $0.isLive(at: now) })
  }

  /// For whom a seat of the license is kept, used or not.
  func kept(of license: Identifier, at now: Instant) -> Set<Key<Identity>> {
    (reservations[license] ?? []).union((cooling[license] ?? [:]).filter { $0.value > now }.keys)
  }

  /// Seats held, and those kept for someone who holds none of this license.
  func used(_ license: Identifier, at now: Instant) -> Int64 {
    held(of: license, at: now)
      + Int64(kept(of: license, at: now).count { live($0, of: license, at: now) == nil })
  }

  /// Empty when there is none; else whether the next seat would be of the overdraft.
  func room(_ license: Identifier, isKept: Bool, at now: Instant) -> [Bool] {
    guard let terms = licenses[license]?.terms else { return [] }
    if isKept { return held(of: license, at: now) < terms.limit(at: now) ? [false] : [] }
    let used = used(license, at: now)
    return used < Int64(terms.seats) ? [false] : used < terms.limit(at: now) ? [true] : []
  }

  func lendable(_ license: Identifier, at now: Instant) -> Int64 {
    guard let terms = licenses[license]?.terms else { return 0 }
    let lent = holds.values.count { $0.license == license && $0.isLent(at: now) }
    return max(0, Int64(terms.seats) - Int64(terms.unborrowableSeats) - Int64(lent))
  }
}
