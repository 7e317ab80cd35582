import Issuance
import Licensing
import Postgres

/// Every transaction below `transaction` has ended, and what it did is in this statement's snapshot.
struct ReadCursor: Statement {
  static let sql: StaticString = """
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint, clock_timestamp()
    """
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> (cursor: ChangeCursor, at: Instant) {
    (ChangeCursor(transaction: UInt64(bitPattern: try columns.int64(0))), try columns.instant(1))
  }
}

/// All changes from the cursor on, beside the snapshot's own cursor: one row without a change when there is none.
struct ReadChanges: Statement {
  static let sql: StaticString = """
    SELECT pg_snapshot_xmin(s.snapshot)::text::bigint, clock_timestamp(), c.kind, c.organization_id, c.key, c.members
    FROM (SELECT pg_current_snapshot() AS snapshot) s LEFT JOIN change c ON c.xid >= $1::text::xid8
    ORDER BY c.xid, c.id
    """
  let cursor: ChangeCursor
  func bind(_ parameters: inout Parameters) { parameters.append(String(cursor.transaction)) }
  static func row(
    _ columns: borrowing Columns
  ) throws(PostgresError) -> (cursor: ChangeCursor, at: Instant, changes: [Change]) {
    var changes: [Change] = []
    if let kind = try columns.optionalInt16(2) {
      changes = Change.all(
        kind: kind, organization: try columns.optionalInt64(3), key: try columns.int64(4),
        members: try columns.optionalArray(5))
    }
    let cursor = ChangeCursor(transaction: UInt64(bitPattern: try columns.int64(0)))
    return (cursor, try columns.instant(1), changes)
  }
}

struct ReadOrganizations: OrganizationStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, slug, name, status, contact_url,
      hostname, renew_after_expiry_seconds, leaf_seconds, renew_before_seconds, overlap_seconds, key_types, subject
    FROM organization WHERE id = $1 OR $1 IS NULL AND status < 3 ORDER BY id
    """
  /// Nil: all that are not deleted.
  let organization: Key<Organization>?
  func bind(_ parameters: inout Parameters) { parameters.append(organization) }
}

struct ReadCertificateStatus: Statement {
  static let sql: StaticString = "SELECT status FROM certificate WHERE organization_id = $1 AND id = $2"
  let organization: Key<Organization>
  let certificate: Key<CertificateRecord>
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(certificate)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> CertificateRecord.Status {
    try columns.code(0)
  }
}

/// Whom a certificate of an authority speaks for, asked at its first handshake.
struct FindStanding: Statement {
  static let sql: StaticString = """
    SELECT i.id, i.public_id, i.external_id, i.metadata, i.created_at, i.updated_at, i.revision, i.organization_id,
      i.name, i.role, i.status, i.attributes, i.external_group, i.external_field, i.external_value, c.id, c.status,
      c.predecessor_id IS NOT NULL AND c.used_at IS NULL
    FROM authority a
    JOIN certificate c ON c.organization_id = a.organization_id AND c.fingerprint = $2 AND c.authority_id = a.id
    JOIN identity i ON i.organization_id = c.organization_id AND i.id = c.identity_id
    WHERE a.id = $1
    """
  let authority: Key<Authority>
  let fingerprint: [UInt8]
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority)
    parameters.append(fingerprint)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> CertificateStanding {
    CertificateStanding(
      certificate: try columns.key(15), status: try columns.code(16), identity: try columns.identity(),
      isUnusedSuccessor: try columns.bool(17))
  }
}
