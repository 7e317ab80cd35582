import Licensing
import Postgres

/// A chain, and whose it is.
struct StoredChain: Sendable {
  /// 0: the operator's own.
  let organization: Key<Organization>
  let chain: EventChain
}

/// One organization's chain, or all that there are.
struct ReadChains: Statement {
  static let sql: StaticString = """
    SELECT w.id, o.public_id, o.slug, c.pruned_position, c.pruned_digest, c.position, c.digest
    FROM (SELECT organization_id AS id FROM event_chain WHERE $1 IS NULL UNION ALL SELECT $1 WHERE $1 IS NOT NULL) w
    LEFT JOIN event_chain c ON c.organization_id = w.id
    LEFT JOIN organization o ON o.id = w.id
    ORDER BY w.id
    """
  let organization: Key<Organization>?
  func bind(_ parameters: inout Parameters) { parameters.append(organization) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> StoredChain {
    StoredChain(
      organization: try columns.key(0),
      chain: EventChain(
        organization: try columns.optionalIdentifier(1),
        slug: try columns.optionalString(2).flatMap(Slug.init), pruned: try columns.seal(3),
        last: try columns.seal(5)))
  }
}

/// Whether anything waits to be sealed; costs nobody a lock.
struct AwaitsSealing: Statement {
  static let sql: StaticString = """
    SELECT EXISTS (SELECT FROM event e WHERE e.xid >= c.sealed_below AND NOT EXISTS (
      SELECT FROM sealed_event s WHERE s.organization_id = e.organization_id AND s.at = e.at AND s.event_id = e.id))
      OR c.sealed_below > pg_snapshot_xmax(pg_current_snapshot())
    FROM event_seal_cursor c
    """
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Bool { try columns.bool(0) }
}

/// From which transaction on events may be unsealed, and below which all have ended; no row while somebody else seals.
///
/// A database that was restored on another server may count its transactions from further back: then from the first.
struct BeginSealing: Statement {
  static let sql: StaticString = """
    SELECT CASE WHEN sealed_below > pg_snapshot_xmax(pg_current_snapshot()) THEN '0' ELSE sealed_below::text END,
      pg_snapshot_xmin(pg_current_snapshot())::text
    FROM event_seal_cursor FOR UPDATE SKIP LOCKED
    """
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> (from: String, below: String) {
    (try columns.string(0), try columns.string(1))
  }
}

struct UnsealedEvent: Sendable {
  let organization: Key<Organization>
  let transaction: String
  let event: RecordedEvent
}

/// In the order in which they will stand. What came from another server's transactions, later ones than this has had, is
/// not waited for.
struct FindUnsealed: Statement {
  static let sql: StaticString = """
    SELECT e.at, e.id, e.slug, e.type, e.actor_kind, e.actor, e.serial, e.fingerprint, e.license, e.identity,
      e.generation, e.detail, NULL::bigint, NULL::bytea, e.organization_id, e.xid::text
    FROM (
      SELECT e.organization_id, e.at, e.id FROM event e
      WHERE e.xid >= $1::text::xid8 AND (e.xid < $2::text::xid8 OR e.xid >= pg_snapshot_xmax(pg_current_snapshot()))
        AND NOT EXISTS (SELECT FROM sealed_event s
          WHERE s.organization_id = e.organization_id AND s.at = e.at AND s.event_id = e.id)
      ORDER BY e.xid, e.id LIMIT $3) k
    CROSS JOIN LATERAL (SELECT * FROM event_told e
      WHERE e.organization_id = k.organization_id AND e.at = k.at AND e.id = k.id OFFSET 0) e
    ORDER BY e.xid, e.id
    """
  let from: String
  let below: String
  let limit: Int
  func bind(_ parameters: inout Parameters) {
    parameters.append(from)
    parameters.append(below)
    parameters.append(Int64(limit))
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> UnsealedEvent {
    UnsealedEvent(
      organization: try columns.key(14), transaction: try columns.string(15), event: try columns.event())
  }
}

struct InsertSeals: Statement {
  static let sql: StaticString = """
    WITH sealed AS (
      INSERT INTO sealed_event (organization_id, at, event_id, position, digest)
      SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::bytea[]) RETURNING *)
    INSERT INTO event_chain AS c (organization_id, position, digest)
    SELECT DISTINCT ON (s.organization_id) s.organization_id, s.position, s.digest FROM sealed s
    ORDER BY s.organization_id, s.position DESC
    ON CONFLICT (organization_id) DO UPDATE SET position = excluded.position, digest = excluded.digest
    """
  let sealed: [(organization: Key<Organization>, place: EventPlace, seal: EventSeal)]
  func bind(_ parameters: inout Parameters) {
    parameters.append(sealed.map(\.organization.rawValue))
    parameters.append(timestamps: sealed.map(\.place.at.microseconds))
    parameters.append(sealed.map(\.place.number))
    parameters.append(sealed.map(\.seal.position))
    parameters.append(sealed.map(\.seal.digest))
  }
}

struct EndSealing: Statement {
  static let sql: StaticString = "UPDATE event_seal_cursor SET sealed_below = $1::text::xid8"
  let below: String
  func bind(_ parameters: inout Parameters) { parameters.append(below) }
}

/// What a position holds; without an event where that is gone.
struct ReadSealed: Statement {
  static let sql: StaticString = """
    SELECT e.at, e.id, e.slug, e.type, e.actor_kind, e.actor, e.serial, e.fingerprint, e.license, e.identity,
      e.generation, e.detail, s.position, s.digest
    FROM (SELECT * FROM sealed_event WHERE organization_id = $1 AND position > $2 ORDER BY position LIMIT $3) s
    LEFT JOIN LATERAL (SELECT * FROM event_told e
      WHERE e.organization_id = s.organization_id AND e.at = s.at AND e.id = s.event_id OFFSET 0) e ON true
    ORDER BY s.position
    """
  let organization: Key<Organization>
  let after: Int64
  let limit: Int64
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(after)
    parameters.append(limit)
  }
  static func row(
    _ columns: borrowing Columns
  ) throws(PostgresError) -> (seal: EventSeal, event: RecordedEvent?) {
    guard let seal = try columns.seal(12) else { throw .decoding("a sealed event without a position") }
    return (seal, try columns.optionalInt64(1) == nil ? nil : try columns.event())
  }
}

/// Events that are in no chain although everything up to their transaction is sealed.
struct CountInserted: Statement {
  static let sql: StaticString = """
    SELECT count(*) FROM event e, event_seal_cursor c
    WHERE e.xid < c.sealed_below AND ($1 IS NULL OR e.organization_id = $1) AND NOT EXISTS (SELECT FROM sealed_event s
      WHERE s.organization_id = e.organization_id AND s.at = e.at AND s.event_id = e.id)
    """
  let organization: Key<Organization>?
  func bind(_ parameters: inout Parameters) { parameters.append(organization) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}

/// To the day, so that an event a day tells of it.
struct PruneEvents: Statement {
  static let sql: StaticString = """
    SELECT event_prune($1, date_trunc('day', now() - $2 * interval '1 day'), $3)
    """
  let organization: Key<Organization>
  let days: Int64
  let limit: Int64
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(days)
    parameters.append(limit)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}
