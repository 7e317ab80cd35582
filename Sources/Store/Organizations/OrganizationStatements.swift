import Licensing
import Postgres

/// A statement whose rows are organizations: record, slug, name, status, contact, host name, renewal after expiry,
/// certificate terms.
protocol OrganizationStatement: Statement where Row == Organization {}

extension OrganizationStatement {
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Organization {
    try columns.organization()
  }
}

extension Columns {
  /// An organization in eighteen columns from this one on.
  func organization(_ column: Int = 0) throws(PostgresError) -> Organization {
    Organization(
      record: try record(column), slug: try parsed(column + 7, Slug.init), name: try string(column + 8),
      status: try code(column + 9), contactURL: try optionalString(column + 10),
      hostname: try optionalString(column + 11), renewAfterExpirySeconds: try int64(column + 12),
      certificates: CertificateTerms(
        validitySeconds: try int64(column + 13), renewBeforeSeconds: try optionalInt64(column + 14),
        overlapSeconds: try int64(column + 15), keyTypes: try optionalArray(column + 16),
        subject: try code(column + 17)))
  }
}

extension Parameters {
  /// Five parameters.
  fileprivate mutating func append(_ certificates: CertificateTerms) {
    append(certificates.validitySeconds)
    append(certificates.renewBeforeSeconds)
    append(certificates.overlapSeconds)
    append(certificates.keyTypes)
    append(certificates.subject.rawValue)
  }
}

struct FindOrganization: OrganizationStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, slug, name, status, contact_url,
      hostname, renew_after_expiry_seconds, leaf_seconds, renew_before_seconds, overlap_seconds, key_types, subject
    FROM organization WHERE slug = $1 AND status < 3
    """
  let slug: Slug
  func bind(_ parameters: inout Parameters) { parameters.append(slug.description) }
}

struct LockOrganization: Statement {
  static let sql: StaticString = "SELECT FROM organization WHERE slug = $1 AND status < 3 FOR NO KEY UPDATE"
  let slug: Slug
  func bind(_ parameters: inout Parameters) { parameters.append(slug.description) }
}

struct ListOrganizations: OrganizationStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, slug, name, status, contact_url,
      hostname, renew_after_expiry_seconds, leaf_seconds, renew_before_seconds, overlap_seconds, key_types, subject
    FROM organization
    WHERE id > $1 AND status < 3 AND ($3 IS NULL OR strpos(lower(concat_ws(E'\\n', slug, name, external_id)), lower($3)) > 0)
      AND ($4 IS NULL OR status = $4) AND ($5 IS NULL OR external_id = $5) AND ($6 IS NULL OR slug = $6)
    ORDER BY id LIMIT $2
    """
  let filter: OrganizationFilter
  let page: PageRequest
  func bind(_ parameters: inout Parameters) {
    parameters.append(page)
    parameters.append(filter.text)
    parameters.append(filter.status?.rawValue)
    parameters.append(filter.externalID)
    parameters.append(filter.slug?.description)
  }
}

struct InsertOrganization: OrganizationStatement {
  static let sql: StaticString = """
    INSERT INTO organization (public_id, external_id, metadata, slug, name, contact_url, hostname,
      renew_after_expiry_seconds, leaf_seconds, renew_before_seconds, overlap_seconds, key_types, subject)
    VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8, 2592000), $9, $10, $11, $12, $13)
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, slug, name, status, contact_url,
      hostname, renew_after_expiry_seconds, leaf_seconds, renew_before_seconds, overlap_seconds, key_types, subject
    """
  let new: NewOrganization
  func bind(_ parameters: inout Parameters) {
    parameters.append(new.record)
    parameters.append(new.slug.description)
    parameters.append(new.name)
    parameters.append(new.contactURL)
    parameters.append(new.hostname)
    parameters.append(new.renewAfterExpirySeconds)
    parameters.append(new.certificates)
  }
}

struct UpdateOrganization: OrganizationStatement {
  static let sql: StaticString = """
    UPDATE organization SET external_id = $2, metadata = $3, name = $4, status = $5, contact_url = $6, hostname = $7,
      renew_after_expiry_seconds = $8, leaf_seconds = $9, renew_before_seconds = $10, overlap_seconds = $11,
      key_types = $12, subject = $13
    WHERE id = $1
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, slug, name, status, contact_url,
      hostname, renew_after_expiry_seconds, leaf_seconds, renew_before_seconds, overlap_seconds, key_types, subject
    """
  let organization: Organization
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization.record.key)
    parameters.append(organization.record.externalID)
    parameters.append(organization.record.metadata)
    parameters.append(organization.name)
    parameters.append(organization.status.rawValue)
    parameters.append(organization.contactURL)
    parameters.append(organization.hostname)
    parameters.append(organization.renewAfterExpirySeconds)
    parameters.append(organization.certificates)
  }
}

/// What ends with an organization: authorities (their keys may be proven elsewhere now), tokens, enrollments, licenses.
struct EndOrganization: Statement {
  static let sql: StaticString = """
    WITH authorities AS (UPDATE authority SET status = 5, sealed_key = NULL WHERE organization_id = $1 AND status < 5),
      tokens AS (UPDATE api_token SET revoked_at = now() WHERE organization_id = $1 AND revoked_at IS NULL),
      enrollments AS (UPDATE enrollment SET revoked_at = now() WHERE organization_id = $1 AND revoked_at IS NULL)
    UPDATE license SET status = 3 WHERE organization_id = $1 AND status < 3
    """
  let organization: Key<Organization>
  func bind(_ parameters: inout Parameters) { parameters.append(organization) }
}

struct CountSeatsHeld: Statement {
  static let sql: StaticString = """
    SELECT coalesce(sum(held), 0)::bigint FROM license_state WHERE organization_id = $1 AND status < 3
    """
  let organization: Key<Organization>
  func bind(_ parameters: inout Parameters) { parameters.append(organization) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}
