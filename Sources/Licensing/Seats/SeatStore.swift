/// Where seats are decided: the database, a whole batch in one call.
public protocol SeatStore: Sendable {
  /// Decides requests of one (organization, product), at most one per identity, in one transaction.
  ///
  /// The answers come in the order of the requests. Thrown: nothing was acknowledged; `outcomeUnknown` when the batch
  /// may have committed, which a retry of the same requests settles.
  func decide(_ batch: [SeatRequest], organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> [SeatOutcome]

  /// What `decide` would answer to this request now; nothing is changed or counted.
  func preview(_ request: SeatRequest, organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> SeatOutcome

  /// The live seat that the identity holds; nil when it holds none.
  func seat(of identity: Key<Identity>, organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> Seat?

  /// Why the license of the seat that the identity has may not be used now; nil when it may, or when there is none.
  func suspension(of identity: Key<Identity>, organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> SeatRefusal.Reason?

  /// All live seats of an identity, with their products.
  func seats(of identity: Key<Identity>, organization: Key<Organization>) async throws(StorageError)
    -> [(product: ProductCode, seat: Seat)]

  /// The product of this code; nil when there is none.
  func product(_ code: ProductCode) async throws(StorageError) -> Key<Product>?
}

/// What an admin does with seats; part of a unit of work.
public protocol SeatRepository: Sendable {
  func seats(of license: Key<License>, organization: Key<Organization>, _ page: PageRequest)
    async throws(StorageError) -> Page<SeatHolding>

  /// Assigns a seat of the license for good, turning a lease of the same identity into it.
  func assign(_ license: License, to identity: Identity, actor: Actor) async throws(StorageError)
    -> AssignOutcome

  /// Frees the identity's seat of this license at once and, with `blockSeconds`, keeps the identity from claiming
  /// again before (that is noted whether it held one or not). A borrowed seat is only taken when `isForced`: its holder
  /// loses it where it can be reached, and it counts as held until the loan is over all the same.
  func free(_ license: License, of identity: Identity, blockSeconds: Int64, isForced: Bool, actor: Actor)
    async throws(StorageError) -> FreeOutcome
}

/// One line of a license's list of seats.
public struct SeatHolding: Sendable {
  public let identity: IdentityName
  public let identityID: Identifier
  public let seat: Seat
  public let lastSeenAt: Instant?
  /// Taken by force while it was lent: it counts until `borrowedUntil`, but is nobody's any more.
  public let isAtRisk: Bool

  public init(
    identity: IdentityName, identityID: Identifier, seat: Seat, lastSeenAt: Instant?, isAtRisk: Bool = false
  ) {
    self.identity = identity
    self.identityID = identityID
    self.seat = seat
    self.lastSeenAt = lastSeenAt
    self.isAtRisk = isAtRisk
  }
}

public enum AssignOutcome: Sendable {
  case assigned(Seat)
  case already(Seat)
  case refused(SeatRefusal)
}

public enum FreeOutcome: Sendable, Equatable {
  case freed
  case nothingHeld
  /// Nothing was done: the seat is lent until then.
  case borrowed(until: Instant)
}
