import Licensing
import Postgres

struct InsertSetupToken: Statement {
  static let sql: StaticString = """
    INSERT INTO setup_token (public_id, organization_id, name, token_hash, expires_at)
    VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')
    """
  let new: NewSetupToken
  func bind(_ parameters: inout Parameters) {
    parameters.append(new.id)
    parameters.append(new.organization)
    parameters.append(new.name)
    parameters.append(new.hash)
    parameters.append(new.ttlSeconds)
  }
}

/// Of two at once, the second waits for the row and then finds it spent.
struct SpendSetupToken: Statement {
  static let sql: StaticString = """
    UPDATE setup_token s SET used_at = now() FROM organization o
    WHERE s.token_hash = $1 AND s.used_at IS NULL AND s.expires_at > now() AND o.id = s.organization_id AND o.status < 3
    RETURNING s.public_id, o.slug, s.name
    """
  let hash: [UInt8]
  func bind(_ parameters: inout Parameters) { parameters.append(hash) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> SpentSetupToken {
    SpentSetupToken(
      id: try columns.identifier(0), organization: try columns.parsed(1, Slug.init),
      name: try columns.string(2))
  }
}
