import Licensing
import Postgres

extension Columns {
  /// A seat as `seat_state` shows it, in fifteen columns from this one on.
  func seat(_ column: Int = 0) throws(PostgresError) -> Seat {
    Seat(
      license: try identifier(column), licenseKey: try key(column + 1), kind: try code(column + 2),
      generation: try int64(column + 3), revision: try int64(column + 4), grantedAt: try instant(column + 5),
      expiresAt: try optionalInstant(column + 6), leaseSeconds: try int32(column + 7),
      graceSeconds: try int32(column + 8), overdraft: try bool(column + 9),
      features: try features(column + 10),
      config: try config(column + 13), borrowedUntil: try optionalInstant(column + 14),
      licenseEndsAt: try optionalInstant(column + 11), statedAt: try instant(column + 12))
  }
}

/// The seat of a license in force that the identity holds of a product.
struct HeldSeat: Statement {
  static let sql: StaticString = """
    SELECT license, license_id, kind, generation, revision, granted_at, expires_at, lease_seconds, grace_seconds,
      overdraft, features, ends_at, stated_at, config, lent_until
    FROM seat_state WHERE organization_id = $1 AND product_id = $2 AND identity_id = $3 AND in_force
    """
  let organization: Key<Organization>
  let product: Key<Product>
  let identity: Key<Identity>

  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(product)
    parameters.append(identity)
  }

  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Seat { try columns.seat() }
}

/// All seats in force of an identity, found through the products of the organization's licenses.
struct HeldSeats: Statement {
  static let sql: StaticString = """
    SELECT s.license, s.license_id, s.kind, s.generation, s.revision, s.granted_at, s.expires_at, s.lease_seconds,
      s.grace_seconds, s.overdraft, s.features, s.ends_at, s.stated_at, s.config, s.lent_until, s.product_code
    FROM (SELECT DISTINCT product_id FROM license_counter WHERE organization_id = $1) x
    JOIN seat_state s ON s.organization_id = $1 AND s.product_id = x.product_id AND s.identity_id = $2
    WHERE s.in_force ORDER BY s.product_code
    """
  let organization: Key<Organization>
  let identity: Key<Identity>

  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(identity)
  }

  static func row(
    _ columns: borrowing Columns
  ) throws(PostgresError) -> (product: ProductCode, seat: Seat) {
    (try columns.parsed(15, ProductCode.init), try columns.seat())
  }
}

/// Who holds a license's seats, in order of identity.
///
/// The page is found first, in that order, among the product's seats. By the index of licenses all seats of the license
/// would be read and sorted for each page: a generic plan knows only how many an average one has. Hence the `coalesce`,
/// which no index serves and which the planner takes for likely.
struct ListSeats: Statement {
  static let sql: StaticString = """
    WITH page AS MATERIALIZED (
      SELECT s.product_id, s.identity_id FROM seat s
      WHERE s.organization_id = $1 AND s.identity_id > $3 AND coalesce(s.license_id = $2, false)
        AND s.product_id = (SELECT product_id FROM license WHERE organization_id = $1 AND id = $2)
        AND s.expires_at > (SELECT greatest(statement_timestamp(), c.last_at) FROM license_counter c
          WHERE c.organization_id = $1 AND c.license_id = $2)
      ORDER BY s.identity_id LIMIT $4)
    SELECT license, license_id, kind, generation, revision, granted_at, expires_at, lease_seconds, grace_seconds,
      overdraft, features, ends_at, stated_at, config, lent_until, identity_name, identity, last_seen_at, at_risk,
      x.identity_id
    FROM page x
    JOIN seat_state s ON s.organization_id = $1 AND s.product_id = x.product_id AND s.identity_id = x.identity_id
    ORDER BY x.identity_id
    """
  let organization: Key<Organization>
  let license: Key<License>
  let page: PageRequest

  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(license)
    parameters.append(page)
  }

  static func row(
    _ columns: borrowing Columns
  ) throws(PostgresError) -> (holding: SeatHolding, key: Int64) {
    (
      SeatHolding(
        identity: try columns.parsed(15, IdentityName.init), identityID: try columns.identifier(16),
        seat: try columns.seat(), lastSeenAt: try columns.optionalInstant(17), isAtRisk: try columns.bool(18)),
      try columns.int64(19)
    )
  }
}
