/// What one identity asks about its seat of one product.
public struct SeatRequest: Sendable {
  public enum Operation: Sendable, Hashable {
    /// Take a seat, or renew the one held.
    case claim
    /// Only renew, and only the seat of this generation (`If-Match`).
    case renew(generation: Int64)
    /// Gives the seat back, borrowed or not; what is assigned stays assigned.
    case release
    /// Take a seat or keep the one held, and take it away from the network: it counts as held until then, heard from
    /// or not. A loan is never shortened but by its return.
    case borrow(until: Instant)
  }

  public let identity: Key<Identity>
  public let operation: Operation
  public let wish: SeatWish
  /// Whether the identity is believed to hold a seat: a hint, which may be wrong and changes no outcome.
  public let isBelievedHeld: Bool

  public init(
    identity: Key<Identity>, operation: Operation, wish: SeatWish = .none, isBelievedHeld: Bool = false
  ) {
    self.identity = identity
    self.operation = operation
    self.wish = wish
    self.isBelievedHeld = isBelievedHeld
  }
}

/// The answer to a `SeatRequest`.
public enum SeatOutcome: Sendable {
  /// A new seat (201).
  case granted(Seat)
  /// The seat already held, for a while longer (200).
  case renewed(Seat)
  /// There is no lease any more (204); an assigned seat stays.
  case released
  case refused(SeatRefusal)
}

/// Why there is no seat.
public struct SeatRefusal: Error, Sendable {
  /// In the order of precedence when several licenses refuse for different reasons (api.md).
  public enum Reason: String, Sendable, CaseIterable {
    case identitySuspended = "identity-suspended"
    case organizationSuspended = "organization-suspended"
    case seatBlocked = "seat-blocked"
    case noSeatAvailable = "no-seat-available"
    case seatNotAssigned = "seat-not-assigned"
    case notPermitted = "not-permitted"
    /// Borrowed for longer than the license lends or lasts, or until a time that is past.
    case borrowOutOfRange = "borrow-out-of-range"
    /// The license lends no seats.
    case borrowNotPermitted = "borrow-not-permitted"
    /// An assignment that would have to call back a seat lent of another license.
    case seatBorrowed = "seat-borrowed"
    case licenseSuspended = "license-suspended"
    case licenseExpired = "license-expired"
    case licenseNotStarted = "license-not-started"
    case licenseRequired = "license-required"
    /// No such product, or this organization never had a license of it.
    case productUnknown = "product-unknown"
    /// `If-Match` named a seat that is gone.
    case leaseLost = "lease-lost"
  }

  /// Why a renew-only request found its seat gone.
  public enum Loss: String, Sendable { case expired, released, drained }

  public let reason: Reason
  public let loss: Loss?
  /// What each license of the product said.
  public let candidates: [Candidate]
  /// For `noSeatAvailable`: the seats there are, and those held.
  public let seats: Int64
  public let held: Int64
  /// Seconds until the earliest lease ends or the block is over; nil when nobody can know.
  public let retryAfterSeconds: Int64?

  public struct Candidate: Sendable {
    public let license: Identifier
    public let reason: Reason

    public init(license: Identifier, reason: Reason) {
      self.license = license
      self.reason = reason
    }
  }

  public init(
    reason: Reason, loss: Loss? = nil, candidates: [Candidate] = [], seats: Int64 = 0, held: Int64 = 0,
    retryAfterSeconds: Int64? = nil
  ) {
    self.reason = reason
    self.loss = loss
    self.candidates = candidates
    self.seats = seats
    self.held = held
    self.retryAfterSeconds = retryAfterSeconds
  }
}
