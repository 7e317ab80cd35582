import Issuance
import Licensing
import Postgres

/// Every transaction below `transaction` has ended, and what it did is in this statement's snapshot.
struct ReadCursor: Statement {
  static let sql: StaticString = """
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint, pg_postmaster_start_time(), clock_timestamp()
    """
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> ChangeCursor { try columns.cursor() }
}

extension Columns {
  /// The first three columns: oldest transaction, start of the server, its clock.
  fileprivate func cursor() throws(PostgresError) -> ChangeCursor {
    ChangeCursor(
      transaction: UInt64(bitPattern: try int64(0)), server: try instant(1), at: try instant(2))
  }
}

/// All changes from the cursor on, beside the snapshot's own cursor: one row without a change when there is none.
struct ReadChanges: Statement {
  static let sql: StaticString = """
    SELECT pg_snapshot_xmin(s.snapshot)::text::bigint, pg_postmaster_start_time(), clock_timestamp(), c.kind,
      c.organization_id, c.key, c.members
    FROM (SELECT pg_current_snapshot() AS snapshot) s LEFT JOIN change c ON c.xid >= $1::text::xid8
    ORDER BY c.xid, c.id
    """
  let cursor: ChangeCursor
  func bind(_ parameters: inout Parameters) { parameters.append(String(cursor.transaction)) }
  static func row(
    _ columns: borrowing Columns
  ) throws(PostgresError) -> (cursor: ChangeCursor, changes: [Change]) {
    var changes: [Change] = []
    if let kind = try columns.optionalInt16(3) {
      changes = Change.all(
        kind: kind, organization: try columns.optionalInt64(4), key: try columns.int64(5),
        members: try columns.optionalArray(6))
    }
    return (try columns.cursor(), changes)
  }
}

struct ReadOrganizations: OrganizationStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, slug, name, status, contact_url,
      hostname, renew_after_expiry_seconds, leaf_seconds, renew_before_seconds, overlap_seconds, key_types, subject
    FROM organization o WHERE id = $1 OR $1 IS NULL AND (status < 3 OR EXISTS (SELECT FROM authority a
      WHERE a.organization_id = o.id AND a.proven_at IS NOT NULL)) ORDER BY id
    """
  /// Nil: all, of the deleted ones those whose CAs must go on refusing whom they signed.
  let organization: Key<Organization>?
  func bind(_ parameters: inout Parameters) { parameters.append(organization) }
}

struct ReadCertificateStatus: Statement {
  static let sql: StaticString = """
    SELECT c.id, c.status, c.authority_id, c.fingerprint
    FROM unnest($1::bigint[], $2::bigint[]) AS wanted (organization_id, id)
    JOIN certificate c USING (organization_id, id)
    """
  let wanted: [TenantKey<CertificateRecord>]
  func bind(_ parameters: inout Parameters) { parameters.append(wanted) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> StoredStatus {
    StoredStatus(
      certificate: try columns.key(0), status: try columns.code(1), authority: try columns.key(2),
      fingerprint: try columns.bytes(3))
  }
}

/// Whom certificates of an authority speak for, asked at their first requests.
struct FindStandings: Statement {
  static let sql: StaticString = """
    SELECT i.id, i.public_id, i.external_id, i.metadata, i.created_at, i.updated_at, i.revision, i.organization_id,
      i.name, i.role, i.status, i.attributes, i.external_group, i.external_field, i.external_value, c.id, c.status,
      c.predecessor_id IS NOT NULL AND c.used_at IS NULL, c.fingerprint
    FROM authority a CROSS JOIN unnest($2::bytea[]) AS x (fingerprint)
    JOIN certificate c
      ON c.organization_id = a.organization_id AND c.fingerprint = x.fingerprint AND c.authority_id = a.id
    JOIN identity i ON i.organization_id = c.organization_id AND i.id = c.identity_id
    WHERE a.id = $1
    """
  let authority: Key<Authority>
  let fingerprints: [[UInt8]]
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority)
    parameters.append(fingerprints)
  }
  static func row(
    _ columns: borrowing Columns
  ) throws(PostgresError) -> (fingerprint: [UInt8], standing: CertificateStanding) {
    (
      try columns.bytes(18),
      CertificateStanding(
        certificate: try columns.key(15), status: try columns.code(16), identity: try columns.identity(),
        isUnusedSuccessor: try columns.bool(17))
    )
  }
}
