import Issuance
import Licensing
import PKIX
import Postgres

/// Held until the transaction ends: who writes a list has it alone, who is judged by lists shares it.
struct LockExternalLists: Statement {
  static let sql: StaticString = """
    SELECT CASE WHEN $2 THEN pg_advisory_xact_lock_shared(hashtextextended('external lists', $1))::text
      ELSE pg_advisory_xact_lock(hashtextextended('external lists', $1))::text END
    """
  let authority: Key<Authority>
  let isShared: Bool
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority)
    parameters.append(isShared)
  }
}

struct ReadExternalListNumber: Statement {
  static let sql: StaticString = """
    SELECT number FROM revocation_list WHERE organization_id = $1 AND authority_id = $2 AND issuer = $3
    """
  let authority: Authority
  let issuer: [UInt8]
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority.organization)
    parameters.append(authority.record.key)
    parameters.append(issuer)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> [UInt8] { try columns.bytes(0) }
}

struct WriteExternalList: Statement {
  static let sql: StaticString = """
    INSERT INTO revocation_list (organization_id, authority_id, issuer, number, this_update, next_update, certificate, der)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (organization_id, authority_id, issuer) DO UPDATE SET created_at = now(), number = excluded.number,
      this_update = excluded.this_update, next_update = excluded.next_update, certificate = excluded.certificate,
      der = excluded.der
    """
  let authority: Authority
  let list: ExternalRevocationList
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority.organization)
    parameters.append(authority.record.key)
    parameters.append(list.issuerKey)
    parameters.append(list.list.number.bytes)
    parameters.append(Instant(seconds: list.list.thisUpdate))
    parameters.append(Instant(seconds: list.list.nextUpdate))
    parameters.append(list.issuer.der)
    parameters.append(list.list.der)
  }
}

struct ForgetSerials: Statement {
  static let sql: StaticString = """
    DELETE FROM revoked_serial WHERE organization_id = $1 AND authority_id = $2 AND issuer = $3
    """
  let authority: Authority
  let issuer: [UInt8]
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority.organization)
    parameters.append(authority.record.key)
    parameters.append(issuer)
  }
}

/// A piece of a list's entries; a serial number that is there twice counts once.
struct WriteSerials: Statement {
  static let sql: StaticString = """
    INSERT INTO revoked_serial (organization_id, authority_id, issuer, serial, revoked_at, reason)
    SELECT $1, $2, $3, e.serial, e.revoked_at, e.reason
    FROM unnest($4::text[], $5::timestamptz[], $6::smallint[]) AS e (serial, revoked_at, reason)
    ON CONFLICT DO NOTHING
    """
  static let limit = 5000
  let authority: Authority
  let issuer: [UInt8]
  let entries: [RevocationList.Entry]
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority.organization)
    parameters.append(authority.record.key)
    parameters.append(issuer)
    parameters.append(entries.map(\.serialNumber.description))
    parameters.append(timestamps: entries.map { Instant(seconds: $0.revokedAt).microseconds })
    parameters.append(entries.map { Int16($0.reason.rawValue) })
  }
}

/// What only the last list named is good again.
struct RestoreUnlisted: Statement {
  static let sql: StaticString = """
    UPDATE certificate c SET status = 1, revoked_at = NULL, reason = NULL, listed_by = NULL
    WHERE c.organization_id = $1 AND c.authority_id = $2 AND c.listed_by = $3 AND c.status = 2
      AND NOT EXISTS (SELECT FROM revoked_serial r WHERE r.organization_id = $1 AND r.authority_id = $2
        AND r.issuer = $3 AND r.serial = c.serial)
    """
  let authority: Authority
  let issuer: [UInt8]
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority.organization)
    parameters.append(authority.record.key)
    parameters.append(issuer)
  }
}

/// Certificates that were seen and whose serial number is on the list.
struct FindListed: Statement {
  static let sql: StaticString = """
    SELECT c.id, c.der FROM certificate c
    JOIN revoked_serial r ON r.authority_id = c.authority_id AND r.serial = c.serial AND r.organization_id = c.organization_id
    WHERE c.organization_id = $1 AND c.authority_id = $2 AND r.issuer = $3 AND c.status = 1 AND c.id > $4
    ORDER BY c.id LIMIT $5
    """
  static let limit: Int32 = 500
  let authority: Authority
  let issuer: [UInt8]
  let after: Int64
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority.organization)
    parameters.append(authority.record.key)
    parameters.append(issuer)
    parameters.append(after)
    parameters.append(Self.limit)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> (id: Int64, der: [UInt8]) {
    (try columns.int64(0), try columns.bytes(1))
  }
}

struct RevokeListed: Statement {
  static let sql: StaticString = """
    UPDATE certificate c SET status = 2, revoked_at = r.revoked_at, reason = r.reason, listed_by = r.issuer
    FROM revoked_serial r
    WHERE c.organization_id = $1 AND c.authority_id = $2 AND c.id = ANY($4) AND c.status = 1
      AND r.organization_id = $1 AND r.authority_id = $2 AND r.issuer = $3 AND r.serial = c.serial
    """
  let authority: Authority
  let issuer: [UInt8]
  let certificates: [Int64]
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority.organization)
    parameters.append(authority.record.key)
    parameters.append(issuer)
    parameters.append(certificates)
  }
}

/// What the lists of an authority say of serial numbers.
struct FindListings: Statement {
  static let sql: StaticString = """
    SELECT r.serial, l.issuer, l.certificate FROM revoked_serial r
    JOIN revocation_list l
      ON l.organization_id = r.organization_id AND l.authority_id = r.authority_id AND l.issuer = r.issuer
    WHERE r.authority_id = $1 AND r.serial = ANY($2)
    """
  let authority: Key<Authority>
  let serialNumbers: [String]
  func bind(_ parameters: inout Parameters) {
    parameters.append(authority)
    parameters.append(serialNumbers)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Listing {
    Listing(
      serialNumber: try columns.string(0), issuerKey: try columns.bytes(1), issuer: try columns.bytes(2))
  }
}

/// Notes on external authorities that a list of theirs is past its end; the ids of those on which it was not noted yet.
struct WarnOfStaleLists: Statement {
  static let sql: StaticString = """
    UPDATE authority a SET warnings = array_append(a.warnings, $2)
    WHERE a.kind = 2 AND a.status IN (2, 3) AND NOT $2 = ANY(a.warnings) AND EXISTS (
      SELECT FROM revocation_list l WHERE l.organization_id = a.organization_id AND l.authority_id = a.id
        AND l.next_update < $1)
    RETURNING a.public_id
    """
  let now: Instant
  func bind(_ parameters: inout Parameters) {
    parameters.append(now)
    parameters.append(Authority.staleListWarning)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Identifier {
    try columns.identifier(0)
  }
}
