import Licensing
import Postgres

/// A statement whose rows are API tokens: record, organization, name, role, expiry, last use.
protocol TokenStatement: Statement where Row == APIToken {}

extension TokenStatement {
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> APIToken { try columns.token() }
}

extension Columns {
  fileprivate func token() throws(PostgresError) -> APIToken {
    APIToken(
      record: try record(), organization: try optionalKey(7), name: try string(8), role: try code(9),
      expiresAt: try optionalInstant(10), lastUsedAt: try optionalInstant(11))
  }
}

/// What a presented token proves.
struct FindTokenByHash: Statement {
  static let sql: StaticString = """
    SELECT t.id, t.public_id, t.external_id, t.metadata, t.created_at, t.updated_at, t.revision, t.organization_id,
      t.name, t.role, t.expires_at, t.last_used_at, o.slug
    FROM api_token t LEFT JOIN organization o ON o.id = t.organization_id
    WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
      AND (t.organization_id IS NULL OR o.status < 3)
    """
  let hash: [UInt8]
  func bind(_ parameters: inout Parameters) { parameters.append(hash) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> TokenHolder {
    TokenHolder(token: try columns.token(), slug: try columns.optionalString(12).flatMap(Slug.init))
  }
}

struct FindToken: TokenStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, name, role,
      expires_at, last_used_at
    FROM api_token WHERE public_id = $2 AND organization_id IS NOT DISTINCT FROM $1 AND revoked_at IS NULL
    """
  let organization: Key<Organization>?
  let id: Identifier
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(id)
  }
}

/// The operators' own, or those of an organization.
struct ListTokens: TokenStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, name, role,
      expires_at, last_used_at
    FROM (
      SELECT * FROM api_token WHERE organization_id = $1 AND id > $2 AND revoked_at IS NULL
      UNION ALL
      SELECT * FROM api_token WHERE $1 IS NULL AND organization_id IS NULL AND id > $2 AND revoked_at IS NULL) t
    ORDER BY id LIMIT $3
    """
  let organization: Key<Organization>?
  let page: PageRequest
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(page)
  }
}

struct InsertToken: TokenStatement {
  static let sql: StaticString = """
    INSERT INTO api_token (public_id, external_id, metadata, organization_id, name, role, token_hash, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 second')
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, name, role,
      expires_at, last_used_at
    """
  let new: NewAPIToken
  func bind(_ parameters: inout Parameters) {
    parameters.append(new.record)
    parameters.append(new.organization)
    parameters.append(new.name)
    parameters.append(new.role.rawValue)
    parameters.append(new.hash)
    parameters.append(new.ttlSeconds)
  }
}

struct RotateToken: TokenStatement {
  static let sql: StaticString = """
    UPDATE api_token SET token_hash = $2 WHERE id = $1 AND revoked_at IS NULL
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, name, role,
      expires_at, last_used_at
    """
  let token: Key<APIToken>
  let hash: [UInt8]
  func bind(_ parameters: inout Parameters) {
    parameters.append(token)
    parameters.append(hash)
  }
}

struct RevokeToken: Statement {
  static let sql: StaticString =
    "UPDATE api_token SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL"
  let token: Key<APIToken>
  func bind(_ parameters: inout Parameters) { parameters.append(token) }
}
