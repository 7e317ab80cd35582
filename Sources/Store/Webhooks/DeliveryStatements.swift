import Licensing
import Postgres

struct TakenWebhook: Sendable {
  let sealed: SealedWebhook
  let url: String
  let types: [String]
  let position: Int64
  let attempts: Int32
}

/// The one that has waited longest of those that nobody is at.
struct TakeWebhook: Statement {
  static let sql: StaticString = """
    UPDATE webhook w SET busy_until = $2, attempt_at = $1
    FROM (SELECT w.organization_id, w.id FROM webhook w JOIN event_chain c ON c.organization_id = w.organization_id
        JOIN organization o ON o.id = w.organization_id AND o.status < 3
      WHERE w.status = 1 AND w.attempt_at <= $1 AND coalesce(w.busy_until <= $1, true) AND w.position < c.position
      ORDER BY w.attempt_at LIMIT 1 FOR NO KEY UPDATE OF w SKIP LOCKED) k
    WHERE w.organization_id = k.organization_id AND w.id = k.id
    RETURNING w.organization_id, w.id, w.public_id, w.sealed_secret,
      CASE WHEN w.earlier_until > $1 THEN w.earlier_secret END, w.url, w.types, w.position, w.attempts
    """
  let now: Instant
  let end: Instant
  func bind(_ parameters: inout Parameters) {
    parameters.append(now)
    parameters.append(end)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> TakenWebhook {
    TakenWebhook(
      sealed: try ReadSealedWebhooks.row(columns), url: try columns.string(5),
      types: try columns.stringArray(6), position: try columns.int64(7), attempts: try columns.int32(8))
  }
}

struct AdvanceWebhook: Statement {
  static let sql: StaticString = """
    UPDATE webhook SET position = $4, attempts = 0, last_error = NULL, attempt_at = $5, busy_until = $6
    WHERE organization_id = $1 AND id = $2 AND position = $3 AND status = 1 RETURNING true
    """
  let webhook: SealedWebhook
  let from, to: Int64
  let now, end: Instant
  func bind(_ parameters: inout Parameters) {
    parameters.append(webhook.organization)
    parameters.append(webhook.key)
    parameters.append(from)
    parameters.append(to)
    parameters.append(now)
    parameters.append(end)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Bool { try columns.bool(0) }
}

struct PostponeWebhook: Statement {
  static let sql: StaticString = """
    UPDATE webhook SET attempts = $4, attempt_at = $5, last_error = $6, busy_until = NULL
    WHERE organization_id = $1 AND id = $2 AND position = $3 RETURNING true
    """
  let webhook: SealedWebhook
  let position: Int64
  let attempts: Int32
  let next: Instant
  let error: String
  func bind(_ parameters: inout Parameters) {
    parameters.append(webhook.organization)
    parameters.append(webhook.key)
    parameters.append(position)
    parameters.append(attempts)
    parameters.append(next)
    parameters.append(error)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Bool { try columns.bool(0) }
}

struct BuryEvent: Statement {
  static let sql: StaticString = """
    WITH moved AS (
      UPDATE webhook SET position = $4, attempts = 0, last_error = $6 WHERE organization_id = $1 AND id = $2
        AND position = $3 RETURNING organization_id, id)
    INSERT INTO webhook_dead_letter (organization_id, webhook_id, position, attempts, error, at)
    SELECT organization_id, id, $4, $5, $6, $7 FROM moved
    ON CONFLICT (organization_id, webhook_id, position) DO UPDATE SET attempts = excluded.attempts,
      error = excluded.error, at = excluded.at
    RETURNING true
    """
  let webhook: SealedWebhook
  let position: Int64
  let letter: DeadLetter
  func bind(_ parameters: inout Parameters) {
    parameters.append(webhook.organization)
    parameters.append(webhook.key)
    parameters.append(position)
    parameters.append(letter.position)
    parameters.append(letter.attempts)
    parameters.append(letter.error)
    parameters.append(letter.at)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Bool { try columns.bool(0) }
}

struct ReleaseWebhook: Statement {
  static let sql: StaticString = "UPDATE webhook SET busy_until = NULL WHERE organization_id = $1 AND id = $2"
  let webhook: SealedWebhook
  func bind(_ parameters: inout Parameters) {
    parameters.append(webhook.organization)
    parameters.append(webhook.key)
  }
}
