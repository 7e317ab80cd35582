/// An organization's right to a number of seats of one product.
public struct License: Sendable {
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
  /// How long a lease lives without renewal: 1…2,592,000 seconds.
  public var leaseSeconds: Int32
  /// How long within the lease the app may work on after it should have renewed.
  public var graceSeconds: Int32
  public var startsAt: Instant?
  public var expiresAt: Instant?
  /// Overrides the product's, name by name.
  public var features: Features
  public var assignment: License.Assignment

  public init(
    seats: Int32, overdraft: Int32 = 0, leaseSeconds: Int32 = 600, graceSeconds: Int32 = 0,
    startsAt: Instant? = nil,
    expiresAt: Instant? = nil, features: Features = [:], assignment: License.Assignment = .manual
  ) {
    self.seats = seats
    self.overdraft = overdraft
    self.leaseSeconds = leaseSeconds
    self.graceSeconds = graceSeconds
    self.startsAt = startsAt
    self.expiresAt = expiresAt
    self.features = features
    self.assignment = assignment
  }
}

/// How full a license is at the time of reading, by the database's clock.
public struct LicenseUsage: Sendable, Equatable {
  /// Unexpired seats: an expired lease never counts, swept or not.
  public let held: Int64
  public let reserved: Int64
  /// What is left of `seats` + `overdraft`, never below zero.
  public let available: Int64
  /// What a drained license or an ended overdraft leaves above the limit.
  public let excess: Int64

  public init(held: Int64, reserved: Int64, available: Int64, excess: Int64) {
    self.held = held
    self.reserved = reserved
    self.available = available
    self.excess = excess
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
