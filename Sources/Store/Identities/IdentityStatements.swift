import Issuance
import Licensing
import Postgres

/// A statement whose rows are identities, in fifteen columns.
protocol IdentityStatement: Statement where Row == Identity {}

extension IdentityStatement {
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Identity { try columns.identity() }
}

/// The same, with a sixteenth that says when it was last seen.
protocol SeenIdentityStatement: IdentityStatement {}

extension SeenIdentityStatement {
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Identity {
    var identity = try columns.identity()
    identity.lastSeenAt = try columns.optionalInstant(15)
    return identity
  }
}

extension Columns {
  /// Record, organization, name, role, status, attributes and external name, from this column on.
  func identity(_ column: Int = 0) throws(PostgresError) -> Identity {
    var external: ExternalName?
    if let group = try optionalString(column + 12) {
      external = ExternalName(group: group, field: try string(column + 13), value: try bytes(column + 14))
    }
    return Identity(
      record: try record(column), organization: try key(column + 7),
      name: try parsed(column + 8, IdentityName.init), role: try code(column + 9),
      attributes: try stringMap(column + 11), status: try code(column + 10), external: external)
  }
}

struct FindIdentityByName: SeenIdentityStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, name, role, status,
      attributes, external_group, external_field, external_value,
      (SELECT seen_at FROM identity_seen s WHERE s.organization_id = i.organization_id AND s.identity_id = i.id)
    FROM identity i WHERE organization_id = $1 AND name = $2 AND status < 3
    """
  let organization: Key<Organization>
  let name: IdentityName
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(name.description)
  }
}

struct FindIdentityByID: SeenIdentityStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, name, role, status,
      attributes, external_group, external_field, external_value,
      (SELECT seen_at FROM identity_seen s WHERE s.organization_id = i.organization_id AND s.identity_id = i.id)
    FROM identity i WHERE organization_id = $1 AND public_id = $2 AND status < 3
    """
  let organization: Key<Organization>
  let id: Identifier
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(id)
  }
}

/// Tombstones too.
struct FindIdentityByExternalName: IdentityStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, name, role, status,
      attributes, external_group, external_field, external_value
    FROM identity
    WHERE organization_id = $1 AND external_group = $2 AND external_field = $3 AND external_value = $4
    """
  let organization: Key<Organization>
  let external: ExternalName
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(external.group)
    parameters.append(external.field)
    parameters.append(external.value)
  }
}

/// Tombstones too.
struct ReadIdentities: IdentityStatement {
  static let sql: StaticString = """
    SELECT i.id, i.public_id, i.external_id, i.metadata, i.created_at, i.updated_at, i.revision, i.organization_id,
      i.name, i.role, i.status, i.attributes, i.external_group, i.external_field, i.external_value
    FROM unnest($1::bigint[], $2::bigint[]) AS wanted (organization_id, id)
    JOIN identity i USING (organization_id, id)
    """
  let wanted: [TenantKey<Identity>]
  func bind(_ parameters: inout Parameters) { parameters.append(wanted) }
}

struct LockIdentity: Statement {
  static let sql: StaticString =
    "SELECT FROM identity WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE"
  let organization: Key<Organization>
  let identity: Key<Identity>
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(identity)
  }
}

/// A search looks at so many rows in order of their keys and no further (decision 87): `most`.
///
/// Names are ASCII, and the "C" collation folds their case in a third of the time.
struct ListIdentities: SeenIdentityStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, name, role, status,
      attributes, external_group, external_field, external_value,
      (SELECT seen_at FROM identity_seen s WHERE s.organization_id = i.organization_id AND s.identity_id = i.id)
    FROM (
      (SELECT * FROM identity WHERE $7 IS NULL AND organization_id = $1 AND id > $2 AND status < 3 ORDER BY id LIMIT $10)
      UNION ALL
      SELECT * FROM identity WHERE external_id = $7 AND organization_id = $1 AND id > $2 AND status < 3) i
    WHERE ($4 IS NULL OR strpos(lower(name COLLATE "C"), (SELECT lower($4))) > 0
        OR strpos(lower(external_id), (SELECT lower($4))) > 0)
      AND ($5 IS NULL OR status = $5) AND ($6 IS NULL OR role = $6)
      AND ($8 IS NULL OR $8 > (SELECT max(c.not_after) FROM certificate c
        WHERE c.organization_id = i.organization_id AND c.identity_id = i.id AND c.status = 1))
      AND ($9 IS NULL OR $9 > coalesce((SELECT seen_at FROM identity_seen s
        WHERE s.organization_id = i.organization_id AND s.identity_id = i.id), i.created_at))
    ORDER BY id LIMIT $3
    """
  let organization: Key<Organization>
  let filter: IdentityFilter
  let page: PageRequest
  let most: Int
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(page)
    parameters.append(filter.text)
    parameters.append(filter.status?.rawValue)
    parameters.append(filter.role?.rawValue)
    parameters.append(filter.externalID)
    parameters.append(filter.certificateExpiresBefore)
    parameters.append(filter.notSeenSince)
    parameters.append(Int64(most))
  }
}

/// How far `ListIdentities` looked: the last of so many rows, if there are so many.
struct FindEndOfSearch: Statement {
  static let sql: StaticString = """
    SELECT id FROM identity WHERE organization_id = $1 AND id > $2 AND status < 3 ORDER BY id OFFSET $3 LIMIT 1
    """
  let organization: Key<Organization>
  let page: PageRequest
  let most: Int
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(page.after)
    parameters.append(Int64(most) - 1)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}
