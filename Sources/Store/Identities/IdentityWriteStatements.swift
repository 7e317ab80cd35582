import Licensing
import Postgres

/// No row when a name is taken; the transaction goes on.
struct InsertIdentity: IdentityStatement {
  static let sql: StaticString = """
    INSERT INTO identity (public_id, external_id, metadata, organization_id, name, role, attributes, external_group,
      external_field, external_value)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT DO NOTHING
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, name, role,
      status, attributes, external_group, external_field, external_value
    """
  let new: NewIdentity
  func bind(_ parameters: inout Parameters) {
    parameters.append(new.record)
    parameters.append(new.organization)
    parameters.append(new.name.description)
    parameters.append(new.role.rawValue)
    parameters.append(new.attributes)
    parameters.append(new.external?.group)
    parameters.append(new.external?.field)
    parameters.append(new.external?.value)
  }
}

/// Which unique index keeps an identity out.
struct FindIdentityConflict: Statement {
  static let sql: StaticString = """
    SELECT CASE WHEN status < 3 AND name = $2 THEN 'identity_name'
      WHEN status < 3 AND external_id = $3 THEN 'identity_external_id' ELSE 'identity_external_name' END
    FROM identity
    WHERE organization_id = $1 AND (status < 3 AND (name = $2 OR external_id = $3)
      OR external_group = $4 AND external_field = $5 AND external_value = $6)
    ORDER BY 1 LIMIT 1
    """
  let new: NewIdentity
  func bind(_ parameters: inout Parameters) {
    parameters.append(new.organization)
    parameters.append(new.name.description)
    parameters.append(new.record.externalID)
    parameters.append(new.external?.group)
    parameters.append(new.external?.field)
    parameters.append(new.external?.value)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Conflict {
    Conflict(constraint: try columns.string(0))
  }
}

struct UpdateIdentity: SeenIdentityStatement {
  static let sql: StaticString = """
    UPDATE identity i SET external_id = $3, metadata = $4, role = $5, status = $6, attributes = $7
    WHERE organization_id = $1 AND id = $2
    RETURNING id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, name, role,
      status, attributes, external_group, external_field, external_value,
      (SELECT seen_at FROM identity_seen s WHERE s.organization_id = i.organization_id AND s.identity_id = i.id)
    """
  let identity: Identity
  func bind(_ parameters: inout Parameters) {
    parameters.append(identity.organization)
    parameters.append(identity.record.key)
    parameters.append(identity.record.externalID)
    parameters.append(identity.record.metadata)
    parameters.append(identity.role.rawValue)
    parameters.append(identity.status.rawValue)
    parameters.append(identity.attributes)
  }
}

/// A deleted one that still has its name.
struct LockTombstone: IdentityStatement {
  static let sql: StaticString = """
    SELECT id, public_id, external_id, metadata, created_at, updated_at, revision, organization_id, name, role, status,
      attributes, external_group, external_field, external_value
    FROM identity
    WHERE organization_id = $1 AND public_id = $2 AND status = 3 AND name <> 'erased-' || public_id
    FOR NO KEY UPDATE
    """
  let organization: Key<Organization>
  let id: Identifier
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(id)
  }
}

/// Its external name goes too: a certificate that its own CA still gives it names somebody new.
struct EraseIdentity: Statement {
  static let sql: StaticString = """
    UPDATE identity SET name = 'erased-' || public_id, external_id = NULL, metadata = '{}', attributes = '{}',
      external_group = NULL, external_field = NULL, external_value = NULL
    WHERE organization_id = $1 AND id = $2 AND status = 3
    """
  let tombstone: Identity
  func bind(_ parameters: inout Parameters) {
    parameters.append(tombstone.organization)
    parameters.append(tombstone.record.key)
  }
}

struct EraseCertificates: Statement {
  static let sql: StaticString = """
    UPDATE certificate SET der = '' WHERE organization_id = $1 AND identity_id = $2 AND status = 2 AND der <> ''
    """
  let tombstone: Identity
  func bind(_ parameters: inout Parameters) {
    parameters.append(tombstone.organization)
    parameters.append(tombstone.record.key)
  }
}

/// What was given to it is spent or withdrawn; what the vendor noted there goes.
struct EraseEnrollments: Statement {
  static let sql: StaticString = """
    UPDATE enrollment SET external_id = NULL, metadata = '{}', revoked_at = coalesce(revoked_at, now())
    WHERE organization_id = $1 AND identity_id = $2
    """
  let tombstone: Identity
  func bind(_ parameters: inout Parameters) {
    parameters.append(tombstone.organization)
    parameters.append(tombstone.record.key)
  }
}

/// Revokes what speaks for a deleted identity (RFC 5280 §5.3.1: cessationOfOperation).
struct RevokeCertificatesOfIdentity: Statement {
  static let sql: StaticString = """
    UPDATE certificate SET status = 2, revoked_at = now(), reason = 5
    WHERE organization_id = $1 AND identity_id = $2 AND status = 1
    """
  let organization: Key<Organization>
  let identity: Key<Identity>
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(identity)
  }
}
