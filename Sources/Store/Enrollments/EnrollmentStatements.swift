import Issuance
import Licensing
import Postgres

/// A statement whose rows are those of the view `enrollment_state`.
protocol EnrollmentStatement: Statement where Row == Enrollment {}

extension EnrollmentStatement {
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Enrollment {
    try columns.enrollment()
  }
}

extension Columns {
  /// An enrollment in eighteen columns, from the first on.
  fileprivate func enrollment() throws(PostgresError) -> Enrollment {
    var lastUse: EnrollmentUse?
    if let spki = try optionalBytes(15) {
      lastUse = EnrollmentUse(spki: spki, certificate: try key(16), at: try instant(17))
    }
    return Enrollment(
      record: try record(), organization: try key(7), identity: try optionalKey(8),
      identityName: try optionalString(9).flatMap(IdentityName.init), license: try optionalIdentifier(10),
      uses: try int32(11), used: try int32(12), expiresAt: try instant(13), isRevoked: try bool(14),
      lastUse: lastUse)
  }
}

struct FindEnrollmentByToken: Statement {
  static let sql: StaticString = """
    SELECT e.id, e.public_id, e.external_id, e.metadata, e.created_at, e.updated_at, e.revision, e.organization_id,
      e.identity_id, e.identity_name, e.license, e.uses, e.used, e.expires_at, e.is_revoked, e.last_spki,
      e.last_certificate_id, e.last_used_at,
      o.id, o.public_id, o.external_id, o.metadata, o.created_at, o.updated_at, o.revision, o.slug, o.name, o.status,
      o.contact_url, o.hostname, o.renew_after_expiry_seconds, o.leaf_seconds, o.renew_before_seconds,
      o.overlap_seconds, o.key_types, o.subject
    FROM enrollment_state e JOIN organization o ON o.id = e.organization_id
    WHERE e.token_hash = $1 AND o.status < 3
    """
  let tokenHash: [UInt8]
  func bind(_ parameters: inout Parameters) { parameters.append(tokenHash) }
  static func row(
    _ columns: borrowing Columns
  ) throws(PostgresError) -> (enrollment: Enrollment, organization: Organization) {
    (try columns.enrollment(), try columns.organization(18))
  }
}

struct LockEnrollment: Statement {
  static let sql: StaticString = "SELECT FROM enrollment WHERE token_hash = $1 FOR NO KEY UPDATE"
  let tokenHash: [UInt8]
  func bind(_ parameters: inout Parameters) { parameters.append(tokenHash) }
}

struct FindEnrollment: EnrollmentStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, identity_id,
      identity_name, license, uses, used, expires_at, is_revoked, last_spki, last_certificate_id, last_used_at
    FROM enrollment_state WHERE organization_id = $1 AND public_id = $2 AND NOT is_revoked
    """
  let organization: Key<Organization>
  let id: Identifier
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(id)
  }
}

struct ListEnrollments: EnrollmentStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, identity_id,
      identity_name, license, uses, used, expires_at, is_revoked, last_spki, last_certificate_id, last_used_at
    FROM enrollment_state WHERE organization_id = $1 AND id > $2 AND NOT is_revoked ORDER BY id LIMIT $3
    """
  let organization: Key<Organization>
  let page: PageRequest
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(page)
  }
}

struct ReadEnrollment: EnrollmentStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, identity_id,
      identity_name, license, uses, used, expires_at, is_revoked, last_spki, last_certificate_id, last_used_at
    FROM enrollment_state WHERE organization_id = $1 AND id = $2
    """
  let organization: Key<Organization>
  let enrollment: Key<Enrollment>
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(enrollment)
  }
}

struct InsertEnrollment: Statement {
  static let sql: StaticString = """
    INSERT INTO enrollment (public_id, external_id, metadata, organization_id, identity_id, license_id, uses, token_hash,
      expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 second') RETURNING id
    """
  let new: NewEnrollment
  func bind(_ parameters: inout Parameters) {
    parameters.append(new.record)
    parameters.append(new.organization)
    parameters.append(new.identity)
    parameters.append(new.license)
    parameters.append(new.uses)
    parameters.append(new.tokenHash)
    parameters.append(new.ttlSeconds)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Key<Enrollment> {
    try columns.key(0)
  }
}

struct SpendEnrollment: Statement {
  static let sql: StaticString = """
    UPDATE enrollment SET used = used + 1, last_spki = $2, last_certificate_id = $3, last_used_at = now() WHERE id = $1
    """
  let enrollment: Key<Enrollment>
  let spki: [UInt8]
  let certificate: Key<CertificateRecord>
  func bind(_ parameters: inout Parameters) {
    parameters.append(enrollment)
    parameters.append(spki)
    parameters.append(certificate)
  }
}

struct RevokeEnrollment: Statement {
  static let sql: StaticString =
    "UPDATE enrollment SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL"
  let enrollment: Key<Enrollment>
  func bind(_ parameters: inout Parameters) { parameters.append(enrollment) }
}
