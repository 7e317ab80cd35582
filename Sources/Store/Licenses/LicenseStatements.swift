import Licensing
import Postgres

/// A statement whose rows are those of the view `license_state`.
protocol LicenseStatement: Statement where Row == License {}

extension LicenseStatement {
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> License {
    let terms = LicenseTerms(
      seats: try columns.int32(13), overdraft: try columns.int32(14),
      overdraftUntil: try columns.optionalInstant(20), leaseSeconds: try columns.int32(15),
      graceSeconds: try columns.int32(16), startsAt: try columns.optionalInstant(17),
      expiresAt: try columns.optionalInstant(18), features: try columns.features(19),
      assignment: try columns.code(11), reassignSeconds: try columns.int32(23),
      maxBorrowSeconds: try columns.int32(21), unborrowableSeats: try columns.int32(22))
    return License(
      record: try columns.record(), organization: try columns.key(7), product: try columns.key(8),
      productCode: try columns.parsed(9, ProductCode.init), model: try columns.code(10), terms: terms,
      status: try columns.code(12),
      usage: LicenseUsage(
        held: try columns.int64(24), reserved: try columns.int64(25), limit: Int64(try columns.int32(26)),
        dormant: try columns.int64(27)))
  }
}

struct FindLicense: LicenseStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, product_id,
      product_code, model, assignment, status, seats, overdraft, lease_seconds, grace_seconds, starts_at, ends_at,
      features, overdraft_until, max_borrow_seconds, unborrowable_seats, reassign_seconds, held, reserved, seat_limit,
      dormant
    FROM license_state WHERE organization_id = $1 AND public_id = $2 AND status < 3
    """
  let organization: Key<Organization>
  let id: Identifier
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(id)
  }
}

/// Locks the seats of the license's product, and with them its terms and usage.
struct LockLicense: Statement {
  static let sql: StaticString = """
    SELECT (seat_lock(l.organization_id, l.product_id)).t
    FROM license l WHERE l.organization_id = $1 AND l.public_id = $2 AND l.status < 3
    """
  let organization: Key<Organization>
  let id: Identifier
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(id)
  }
}

struct ListLicenses: LicenseStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, product_id,
      product_code, model, assignment, status, seats, overdraft, lease_seconds, grace_seconds, starts_at, ends_at,
      features, overdraft_until, max_borrow_seconds, unborrowable_seats, reassign_seconds, held, reserved, seat_limit,
      dormant
    FROM license_state
    WHERE organization_id = $1 AND id > $2 AND status < 3 AND ($4 IS NULL OR product_code = $4)
      AND ($5 IS NULL OR status = $5) AND ($6 IS NULL OR external_id = $6) AND ($7 IS NULL OR ends_at < $7)
    ORDER BY id LIMIT $3
    """
  let organization: Key<Organization>
  let filter: LicenseFilter
  let page: PageRequest
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(page)
    parameters.append(filter.product?.description)
    parameters.append(filter.status?.rawValue)
    parameters.append(filter.externalID)
    parameters.append(filter.expiresBefore)
  }
}

struct ReadLicense: LicenseStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, product_id,
      product_code, model, assignment, status, seats, overdraft, lease_seconds, grace_seconds, starts_at, ends_at,
      features, overdraft_until, max_borrow_seconds, unborrowable_seats, reassign_seconds, held, reserved, seat_limit,
      dormant
    FROM license_state WHERE organization_id = $1 AND id = $2
    """
  let organization: Key<Organization>
  let license: Key<License>
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(license)
  }
}

struct InsertLicense: Statement {
  static let sql: StaticString = """
    WITH new AS (
      INSERT INTO license (public_id, external_id, metadata, organization_id, product_id, model, assignment,
        lease_seconds, grace_seconds, starts_at, ends_at, features, reassign_seconds, max_borrow_seconds,
        unborrowable_seats)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
      RETURNING organization_id, product_id, id)
    INSERT INTO license_counter (organization_id, product_id, license_id, seats, overdraft, overdraft_until)
    SELECT organization_id, product_id, id, $16, $17, $18 FROM new RETURNING license_id
    """
  let new: NewLicense
  func bind(_ parameters: inout Parameters) {
    parameters.append(new.record)
    parameters.append(new.organization)
    parameters.append(new.product)
    parameters.append(new.model.rawValue)
    parameters.append(new.terms.assignment.rawValue)
    parameters.append(new.terms.leaseSeconds)
    parameters.append(new.terms.graceSeconds)
    parameters.append(new.terms.startsAt)
    parameters.append(new.terms.expiresAt)
    parameters.append(new.terms.features)
    parameters.append(new.terms.reassignSeconds)
    parameters.append(new.terms.maxBorrowSeconds)
    parameters.append(new.terms.unborrowableSeats)
    parameters.append(new.terms.seats)
    parameters.append(new.terms.overdraft)
    parameters.append(new.terms.overdraftUntil)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Key<License> { try columns.key(0) }
}

struct UpdateLicense: Statement {
  static let sql: StaticString = """
    UPDATE license SET external_id = $3, metadata = $4, assignment = $5, status = $6, lease_seconds = $7,
      grace_seconds = $8, starts_at = $9, ends_at = $10, features = $11, reassign_seconds = $12,
      max_borrow_seconds = $13, unborrowable_seats = $14
    WHERE organization_id = $1 AND id = $2
    """
  let license: License
  func bind(_ parameters: inout Parameters) {
    parameters.append(license.organization)
    parameters.append(license.record.key)
    parameters.append(license.record.externalID)
    parameters.append(license.record.metadata)
    parameters.append(license.terms.assignment.rawValue)
    parameters.append(license.status.rawValue)
    parameters.append(license.terms.leaseSeconds)
    parameters.append(license.terms.graceSeconds)
    parameters.append(license.terms.startsAt)
    parameters.append(license.terms.expiresAt)
    parameters.append(license.terms.features)
    parameters.append(license.terms.reassignSeconds)
    parameters.append(license.terms.maxBorrowSeconds)
    parameters.append(license.terms.unborrowableSeats)
  }
}

/// Writes the limits where claims read them, and moves the clock of the product's seats.
struct LimitLicense: Statement {
  static let sql: StaticString = "SELECT FROM license_limit($1, $2, $3, $4, $5, $6)"
  let license: License
  func bind(_ parameters: inout Parameters) {
    parameters.append(license.organization)
    parameters.append(license.product)
    parameters.append(license.record.key)
    parameters.append(license.terms.seats)
    parameters.append(license.terms.overdraft)
    parameters.append(license.terms.overdraftUntil)
  }
}
