import Licensing
import Postgres

/// A statement whose rows are webhooks: record, organization, URL, types, status, position, attempts, the next one's
/// time, the last one's error.
protocol WebhookStatement: Statement where Row == Webhook {}

extension WebhookStatement {
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Webhook {
    Webhook(
      record: try columns.record(), organization: try columns.key(7), url: try columns.string(8),
      types: try columns.stringArray(9), status: try columns.code(10), position: try columns.int64(11),
      attempts: try columns.int32(12), attemptAt: try columns.instant(13),
      lastError: try columns.optionalString(14))
  }
}

struct FindWebhook: WebhookStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, url, types, status,
      position, attempts, attempt_at, last_error
    FROM webhook WHERE organization_id = $1 AND public_id = $2 AND status < 3
    """
  let organization: Key<Organization>
  let id: Identifier
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(id)
  }
}

struct LockWebhook: Statement {
  static let sql: StaticString =
    "SELECT FROM webhook WHERE organization_id = $1 AND public_id = $2 FOR NO KEY UPDATE"
  let organization: Key<Organization>
  let id: Identifier
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(id)
  }
}

struct ListWebhooks: WebhookStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, url, types, status,
      position, attempts, attempt_at, last_error
    FROM webhook WHERE organization_id = $1 AND id > $2 AND status < 3 ORDER BY id LIMIT $3
    """
  let organization: Key<Organization>
  let page: PageRequest
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(page)
  }
}

struct InsertWebhook: WebhookStatement {
  static let sql: StaticString = """
    INSERT INTO webhook (public_id, external_id, metadata, organization_id, url, types, sealed_secret, position)
    VALUES ($1, $2, $3, $4, $5, $6, $7,
      coalesce((SELECT c.position FROM event_chain c WHERE c.organization_id = $4), 0))
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, url, types, status,
      position, attempts, attempt_at, last_error
    """
  let new: NewWebhook
  func bind(_ parameters: inout Parameters) {
    parameters.append(new.record)
    parameters.append(new.organization)
    parameters.append(new.url)
    parameters.append(new.types)
    parameters.append(new.sealedSecret)
  }
}

/// One that is changed is tried at once.
struct UpdateWebhook: WebhookStatement {
  static let sql: StaticString = """
    UPDATE webhook SET external_id = $3, metadata = $4, url = $5, types = $6, status = $7, attempt_at = now()
    WHERE organization_id = $1 AND id = $2
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, url, types, status,
      position, attempts, attempt_at, last_error
    """
  let webhook: Webhook
  func bind(_ parameters: inout Parameters) {
    parameters.append(webhook.organization)
    parameters.append(webhook.record.key)
    parameters.append(webhook.record.externalID)
    parameters.append(webhook.record.metadata)
    parameters.append(webhook.url)
    parameters.append(webhook.types)
    parameters.append(webhook.status.rawValue)
  }
}

struct RotateWebhook: WebhookStatement {
  static let sql: StaticString = """
    UPDATE webhook SET sealed_secret = $3, earlier_secret = CASE WHEN $4 > 0 THEN sealed_secret END,
      earlier_until = CASE WHEN $4 > 0 THEN now() + $4 * interval '1 second' END
    WHERE organization_id = $1 AND id = $2
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, url, types, status,
      position, attempts, attempt_at, last_error
    """
  let webhook: Webhook
  let sealedSecret: [UInt8]
  let overlapSeconds: Int64
  func bind(_ parameters: inout Parameters) {
    parameters.append(webhook.organization)
    parameters.append(webhook.record.key)
    parameters.append(sealedSecret)
    parameters.append(overlapSeconds)
  }
}

struct ListDeadLetters: Statement {
  static let sql: StaticString = """
    SELECT position, attempts, error, at FROM webhook_dead_letter
    WHERE organization_id = $1 AND webhook_id = $2 AND position > $3 ORDER BY position LIMIT $4
    """
  let webhook: Webhook
  let page: PageRequest
  func bind(_ parameters: inout Parameters) {
    parameters.append(webhook.organization)
    parameters.append(webhook.record.key)
    parameters.append(page)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> DeadLetter {
    DeadLetter(
      position: try columns.int64(0), attempts: try columns.int32(1), error: try columns.string(2),
      at: try columns.instant(3))
  }
}

struct ReplayWebhook: WebhookStatement {
  static let sql: StaticString = """
    WITH gone AS (
      DELETE FROM webhook_dead_letter WHERE organization_id = $1 AND webhook_id = $2 AND position >= $3)
    UPDATE webhook SET position = least(position, $3 - 1), attempts = 0, attempt_at = now(), busy_until = NULL
    WHERE organization_id = $1 AND id = $2
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, url, types, status,
      position, attempts, attempt_at, last_error
    """
  let webhook: Webhook
  let position: Int64
  func bind(_ parameters: inout Parameters) {
    parameters.append(webhook.organization)
    parameters.append(webhook.record.key)
    parameters.append(position)
  }
}

struct ReadSealedWebhooks: Statement {
  static let sql: StaticString = """
    SELECT organization_id, id, public_id, sealed_secret, earlier_secret FROM webhook WHERE status < 3
    ORDER BY organization_id, id FOR NO KEY UPDATE
    """
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> SealedWebhook {
    SealedWebhook(
      organization: try columns.key(0), key: try columns.key(1), id: try columns.identifier(2),
      secrets: [try columns.bytes(3)] + (try columns.optionalBytes(4).map { [$0] } ?? []))
  }
}

struct ResealWebhook: Statement {
  static let sql: StaticString = """
    UPDATE webhook SET sealed_secret = $3, earlier_secret = $4 WHERE organization_id = $1 AND id = $2
    """
  let webhook: SealedWebhook
  let secrets: [[UInt8]]
  func bind(_ parameters: inout Parameters) {
    parameters.append(webhook.organization)
    parameters.append(webhook.key)
    parameters.append(secrets.first)
    parameters.append(secrets.dropFirst().first)
  }
}
