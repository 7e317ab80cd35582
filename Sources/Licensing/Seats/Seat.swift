/// One identity's hold on a license, as the database stated it.
public struct Seat: Sendable {
  public enum Kind: Int16, Sendable, CaseIterable {
    case lease = 1
    case assigned, borrowed
  }

  public let license: Identifier
  public let licenseKey: Key<License>
  public let kind: Kind
  /// Only grows: a holder with a lower one has lost its seat.
  public let generation: Int64
  /// Grows with anything but a renewal.
  public let revision: Int64
  public let grantedAt: Instant
  /// When the seat goes to another; nil when it is assigned for good.
  public let expiresAt: Instant?
  public let leaseSeconds: Int32
  public let graceSeconds: Int32
  /// Granted beyond the license's seats.
  public let overdraft: Bool
  /// The product's features overridden by the license's.
  public let features: Features
  /// What the organization, the license and the identity tell the app, merged.
  public let config: Config
  /// Until when the seat is lent, heard from or not; nil when it is not. `kind` is `borrowed` as long.
  public let borrowedUntil: Instant?
  /// The end of the license, where it has one: nothing is promised past it.
  public let licenseEndsAt: Instant?
  /// The database's time at which all this held.
  public let statedAt: Instant

  public init(
    license: Identifier, licenseKey: Key<License>, kind: Kind, generation: Int64, revision: Int64,
    grantedAt: Instant,
    expiresAt: Instant?, leaseSeconds: Int32, graceSeconds: Int32, overdraft: Bool, features: Features,
    config: Config = .empty, borrowedUntil: Instant? = nil, licenseEndsAt: Instant?, statedAt: Instant
  ) {
    self.license = license
    self.licenseKey = licenseKey
    self.kind = kind
    self.generation = generation
    self.revision = revision
    self.grantedAt = grantedAt
    self.expiresAt = expiresAt
    self.leaseSeconds = leaseSeconds
    self.graceSeconds = graceSeconds
    self.overdraft = overdraft
    self.features = features
    self.config = config
    self.borrowedUntil = borrowedUntil
    self.licenseEndsAt = licenseEndsAt
    self.statedAt = statedAt
  }

  /// How long the app may work without hearing from the server, as of `statedAt`.
  public var validUntil: Instant { validUntil(at: statedAt) }

  /// The same as of `time`, by the database's clock.
  public func validUntil(at time: Instant) -> Instant {
    let end = expiresAt ?? max(time.adding(seconds: Int64(leaseSeconds)), borrowedUntil ?? time)
    return licenseEndsAt.map { min($0, end) } ?? end
  }
}
