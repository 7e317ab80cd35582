import Issuance
import Licensing
import Postgres

/// Whose list is missing, lacks a revocation, or has half its life behind it.
///
/// A revocation is lacking when the list's snapshot does not see it. One from a transaction that has no number yet came
/// with a restored dump, and is older than any list.
struct ReadDueLists: Statement {
  static let sql: StaticString = """
    SELECT a.organization_id, a.id, a.public_id, coalesce(l.created_at > now() - interval '2 seconds', false)
    FROM authority a
    JOIN organization o ON o.id = a.organization_id
    LEFT JOIN revocation_list l
      ON l.organization_id = a.organization_id AND l.authority_id = a.id AND l.issuer = a.spki_sha256
    WHERE a.kind IN (1, 3) AND a.status IN (2, 3, 4) AND o.status < 3 AND (o.id = $1 OR $1 IS NULL)
      AND (a.id = $2 OR $2 IS NULL)
      AND (l.issuer IS NULL OR l.this_update + (l.next_update - l.this_update) / 2 <= $3 OR EXISTS (
        SELECT FROM certificate c
        WHERE c.authority_id = a.id AND c.organization_id = a.organization_id AND c.status = 2
          AND c.revoked_xid >= pg_snapshot_xmin(l.snapshot)
          AND c.revoked_xid < pg_snapshot_xmax(pg_current_snapshot())
          AND NOT pg_visible_in_snapshot(c.revoked_xid, l.snapshot)))
    ORDER BY random() LIMIT 100
    """
  let organization: Key<Organization>?
  var authority: Key<Authority>?
  let now: Instant
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(authority)
    parameters.append(now)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> DueRevocationList {
    DueRevocationList(
      organization: try columns.key(0), authority: try columns.key(1), id: try columns.identifier(2),
      isFresh: try columns.bool(3))
  }
}

/// Held until the transaction ends; false when another server is at this list.
struct LockList: Statement {
  static let sql: StaticString = "SELECT pg_try_advisory_xact_lock(hashtextextended('revocation list', $1))"
  let authority: Key<Authority>
  func bind(_ parameters: inout Parameters) { parameters.append(authority) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Bool { try columns.bool(0) }
}

/// The list that is to be replaced.
struct ReadLastList: Statement {
  static let sql: StaticString = """
    SELECT l.number, l.this_update FROM authority a JOIN revocation_list l
      ON l.organization_id = a.organization_id AND l.authority_id = a.id AND l.issuer = a.spki_sha256
    WHERE a.organization_id = $1 AND a.id = $2
    """
  let due: DueRevocationList
  func bind(_ parameters: inout Parameters) {
    parameters.append(due.organization)
    parameters.append(due.authority)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> (
    number: [UInt8], thisUpdate: Instant
  ) {
    (try columns.bytes(0), try columns.instant(1))
  }
}

/// A piece of what an authority has revoked: small, so that reading a long list holds up nobody else on the loop.
struct ReadRevoked: Statement {
  static let sql: StaticString = """
    SELECT id, serial, revoked_at, reason FROM certificate
    WHERE authority_id = $1 AND organization_id = $2 AND status = 2 AND source = 1 AND not_after >= $3 AND id > $4
    ORDER BY id LIMIT $5
    """
  static let limit: Int32 = 1000
  let due: DueRevocationList
  let keptFrom: Instant
  let after: Int64
  func bind(_ parameters: inout Parameters) {
    parameters.append(due.authority)
    parameters.append(due.organization)
    parameters.append(keptFrom)
    parameters.append(after)
    parameters.append(Self.limit)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> (id: Int64, status: IssuedStatus) {
    (try columns.int64(0), try columns.issuedStatus(1))
  }
}

extension Columns {
  /// Serial number, time of revocation, reason.
  fileprivate func issuedStatus(_ column: Int) throws(PostgresError) -> IssuedStatus {
    IssuedStatus(
      serialNumber: try string(column), revokedAt: try optionalInstant(column + 1),
      reason: try optionalInt16(column + 2).flatMap(RevocationReason.init) ?? .unspecified)
  }
}

/// The snapshot is the transaction's, in which the revoked certificates were read.
struct WriteOwnList: Statement {
  static let sql: StaticString = """
    INSERT INTO revocation_list (organization_id, authority_id, issuer, number, this_update, next_update, snapshot, der)
    SELECT organization_id, id, spki_sha256, $3, $4, $5, pg_current_snapshot(), $6
    FROM authority WHERE organization_id = $1 AND id = $2
    ON CONFLICT (organization_id, authority_id, issuer) DO UPDATE SET created_at = now(), number = excluded.number,
      this_update = excluded.this_update, next_update = excluded.next_update, snapshot = excluded.snapshot,
      der = excluded.der
    """
  let due: DueRevocationList
  let number: [UInt8]
  let list: SignedRevocationList
  func bind(_ parameters: inout Parameters) {
    parameters.append(due.organization)
    parameters.append(due.authority)
    parameters.append(number)
    parameters.append(list.thisUpdate)
    parameters.append(list.nextUpdate)
    parameters.append(list.der)
  }
}

struct FindPublishedList: Statement {
  static let sql: StaticString = """
    SELECT l.number, l.created_at, l.this_update, l.next_update,
      CASE WHEN (l.number, l.created_at) IS DISTINCT FROM ($2, $3) THEN l.der END
    FROM authority a
    JOIN organization o ON o.id = a.organization_id
    JOIN revocation_list l
      ON l.organization_id = a.organization_id AND l.authority_id = a.id AND l.issuer = a.spki_sha256
    WHERE a.public_id = $1 AND a.kind IN (1, 3) AND a.status IN (2, 3, 4) AND o.status < 3
    """
  let authority: Identifier
  let known: RevocationListVersion?
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority)
    parameters.append(known?.number)
    parameters.append(known?.createdAt)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> PublishedRevocationList {
    PublishedRevocationList(
      version: RevocationListVersion(number: try columns.bytes(0), createdAt: try columns.instant(1)),
      thisUpdate: try columns.instant(2), nextUpdate: try columns.instant(3),
      der: try columns.optionalBytes(4))
  }
}

/// One row without a serial number when the authority issued none of them; none at all when it is not there.
struct FindStatuses: Statement {
  static let sql: StaticString = """
    SELECT c.serial, c.revoked_at, c.reason
    FROM authority a
    JOIN organization o ON o.id = a.organization_id
    LEFT JOIN certificate c ON c.authority_id = a.id AND c.organization_id = a.organization_id
      AND c.serial = ANY($2) AND c.source = 1
    WHERE a.public_id = $1 AND a.kind IN (1, 3) AND a.status IN (2, 3, 4) AND o.status < 3
    """
  let authority: Identifier
  let serialNumbers: [String]
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority)
    parameters.append(serialNumbers)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> IssuedStatus? {
    try columns.optionalString(0) == nil ? nil : try columns.issuedStatus(0)
  }
}

struct FindOwner: Statement {
  static let sql: StaticString = """
    SELECT o.id, o.public_id FROM authority a JOIN organization o ON o.id = a.organization_id
    WHERE a.public_id = $1 AND a.kind IN (1, 3) AND a.status IN (2, 3, 4) AND o.status < 3
    """
  let authority: Identifier
  func bind(_ parameters: inout Parameters) { parameters.append(authority) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> (
    key: Key<Organization>, id: Identifier
  ) {
    (try columns.key(0), try columns.identifier(1))
  }
}
