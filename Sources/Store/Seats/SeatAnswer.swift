import Licensing
import Postgres

/// A row of the SQL type `seat_answer`.
struct SeatAnswer: Sendable {
  /// The request's position, from 1; 0 states a license.
  let request: Int
  let outcome: String?
  let loss: String?
  let license: Key<License>?
  let hold: Hold?
  let terms: Terms?
  /// What each license said to a request that demanded something; nil: what the rows of the licenses say.
  let candidates: [SeatRefusal.Candidate]?
  /// The revisions of the other things a seat is made of.
  let beside: Int64
  let retryAt: Instant?
  let statedAt: Instant

  /// The seat itself.
  struct Hold: Sendable {
    let kind: Seat.Kind
    let overdraft: Bool
    let generation: Int64
    let revision: Int64
    let grantedAt: Instant
    let expiresAt: Instant?
    let borrowedUntil: Instant?
    /// With the identity's part; nil when it has none of its own.
    let config: Config?
  }

  /// What its license says of every seat.
  struct Terms: Sendable {
    let license: Identifier
    let revision: Int64
    let leaseSeconds: Int32
    let graceSeconds: Int32
    let endsAt: Instant?
    let features: Features
    let config: Config
    let seats: Int32
    let held: Int32
  }

  init(_ columns: borrowing Columns) throws(PostgresError) {
    request = Int(try columns.int32(0))
    outcome = try columns.optionalString(1)
    loss = try columns.optionalString(2)
    license = try columns.optionalKey(3)
    if let grantedAt = try columns.optionalInstant(9) {
      hold = Hold(
        kind: try columns.code(5), overdraft: try columns.bool(6), generation: try columns.int64(7),
        revision: try columns.int64(8), grantedAt: grantedAt, expiresAt: try columns.optionalInstant(10),
        borrowedUntil: try columns.optionalInstant(19), config: try columns.optionalConfig(20))
    } else {
      hold = nil
    }
    if let id = try columns.optionalIdentifier(4) {
      terms = Terms(
        license: id, revision: try columns.optionalInt64(8) ?? 0, leaseSeconds: try columns.int32(12),
        graceSeconds: try columns.int32(13), endsAt: try columns.optionalInstant(14),
        features: try columns.features(15), config: try columns.optionalConfig(20) ?? .empty,
        seats: try columns.int32(16), held: try columns.int32(17))
    } else {
      terms = nil
    }
    statedAt = try columns.instant(11)
    retryAt = try columns.optionalInstant(18)
    candidates = try columns.optionalBytes(21).map(JSONColumn.candidates)
    beside = try columns.optionalInt64(22) ?? 0
  }

  /// `other` states the license that the seat is of, unless this row does so itself.
  func seat(with other: SeatAnswer?) -> Seat? {
    guard let hold, let license, let terms = other?.terms ?? self.terms else { return nil }
    return Seat(
      license: terms.license, licenseKey: license, kind: hold.kind, generation: hold.generation,
      revision: max(hold.revision, terms.revision) + beside + (other?.beside ?? 0), grantedAt: hold.grantedAt,
      expiresAt: hold.expiresAt,
      leaseSeconds: terms.leaseSeconds, graceSeconds: terms.graceSeconds, overdraft: hold.overdraft,
      features: terms.features, config: hold.config ?? terms.config, borrowedUntil: hold.borrowedUntil,
      licenseEndsAt: terms.endsAt, statedAt: statedAt)
  }
}
