/// An organization's right to a number of seats of one product.
public struct License: Sendable, Equatable {
  public enum Model: Int16, Sendable, CaseIterable {
    case floating = 1
    case named
  }
  public enum Assignment: Int16, Sendable, CaseIterable {
    case manual = 1
    case firstClaim
  }
  public enum Status: Int16, Sendable, CaseIterable {
    case active = 1
    case suspended, deleted
  }

  public var record: Record<License>
  public let organization: Key<Organization>
  public let product: Key<Product>
  public let productCode: ProductCode
  public let model: Model
  public var terms: LicenseTerms
  public var status: Status
  public let usage: LicenseUsage

  public init(
    record: Record<License>, organization: Key<Organization>, product: Key<Product>, productCode: ProductCode,
    model: Model, terms: LicenseTerms, status: Status, usage: LicenseUsage
  ) {
    self.record = record
    self.organization = organization
    self.product = product
    self.productCode = productCode
    self.model = model
    self.terms = terms
    self.status = status
    self.usage = usage
  }
}

/// What the operator may change about a license.
public struct LicenseTerms: Sendable, Equatable {
  /// 0…1,000,000,000.
  public var seats: Int32
  /// Seats that may be granted beyond `seats`, each flagged as overdraft.
  public var overdraft: Int32
  /// When the overdraft ends: nobody gets a seat of it any more, and nobody loses one. Nil: never.
  public var overdraftUntil: Instant?
  /// How long a lease lives without renewal: 1…2,592,000 seconds.
  public var leaseSeconds: Int32
  /// How long within the lease the app may work on after it should have renewed.
  public var graceSeconds: Int32
  public var startsAt: Instant?
  public var expiresAt: Instant?
  /// Overrides the product's, name by name.
  public var features: Features
  public var assignment: License.Assignment
  /// How long an assigned seat that was taken from someone is kept for who had it, in seconds.
  public var reassignSeconds: Int32
  /// The longest time for which a seat is lent, in seconds; 0: none is.
  public var maxBorrowSeconds: Int32
  /// How many of `seats` are never lent.
  public var unborrowableSeats: Int32

  public init(
    seats: Int32, overdraft: Int32 = 0, overdraftUntil: Instant? = nil, leaseSeconds: Int32 = 600,
    graceSeconds: Int32 = 0,
    startsAt: Instant? = nil,
    expiresAt: Instant? = nil, features: Features = [:], assignment: License.Assignment = .manual,
    reassignSeconds: Int32 = 0, maxBorrowSeconds: Int32 = 0, unborrowableSeats: Int32 = 0
  ) {
    self.seats = seats
    self.overdraft = overdraft
    self.overdraftUntil = overdraftUntil
    self.leaseSeconds = leaseSeconds
    self.graceSeconds = graceSeconds
    self.startsAt = startsAt
    self.expiresAt = expiresAt
    self.features = features
    self.assignment = assignment
    self.reassignSeconds = reassignSeconds
    self.maxBorrowSeconds = maxBorrowSeconds
    self.unborrowableSeats = unborrowableSeats
  }
}

/// How full a license is at the time of reading, by the database's clock.
public struct LicenseUsage: Sendable, Equatable {
  /// Unexpired seats: an expired lease never counts, swept or not, nor does an assigned seat of a license that has ended.
  public let held: Int64
  /// Kept for someone who holds none: by a reservation, or until a cool-down is over.
  public let reserved: Int64
  /// What is left of `seats` and, while it lasts, `overdraft`; never below zero.
  public let available: Int64
  /// What a drained license or an ended overdraft leaves above the limit.
  public let excess: Int64
  /// Assigned seats that ended with the license; they are held again when it is renewed.
  public let dormant: Int64

  public init(held: Int64, reserved: Int64, limit: Int64, dormant: Int64 = 0) {
    self.held = held
    self.reserved = reserved
    self.dormant = dormant
    available = max(0, limit - held - reserved)
    excess = max(0, held + reserved - limit)
  }
}

public struct NewLicense: Sendable {
  public var record: NewRecord
  public var organization: Key<Organization>
  public var product: Key<Product>
  public var model: License.Model
  public var terms: LicenseTerms

  public init(
    record: NewRecord, organization: Key<Organization>, product: Key<Product>, model: License.Model,
    terms: LicenseTerms
  ) {
    self.record = record
    self.organization = organization
    self.product = product
    self.model = model
    self.terms = terms
  }
}
