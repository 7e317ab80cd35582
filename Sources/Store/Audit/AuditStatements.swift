import Licensing
import Postgres

struct ReadTime: Statement {
  static let sql: StaticString = "SELECT now()"
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Instant { try columns.instant(0) }
}

struct RecordEvent: Statement {
  static let sql: StaticString = """
    INSERT INTO event (organization_id, type, license_id, identity_id, detail, actor_kind, actor_id)
    VALUES (coalesce($1, 0), $2, $3, $4, nullif($5, '{}'::jsonb), $6,
      coalesce($7, (SELECT id FROM enrollment WHERE organization_id = $1 AND public_id = $8)))
    """
  let event: AuditEvent
  func bind(_ parameters: inout Parameters) {
    parameters.append(event.organization)
    parameters.append(event.type)
    parameters.append(event.license)
    parameters.append(event.identity)
    parameters.append(event.detail)
    parameters.append(event.actor)
  }
}

/// Writes a change that no trigger has written already in this transaction.
struct AnnounceChange: Statement {
  static let sql: StaticString = """
    INSERT INTO change (kind, organization_id, key, members)
    SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT FROM change c WHERE c.xid = pg_current_xact_id() AND c.kind = $1
      AND c.organization_id IS NOT DISTINCT FROM $2 AND c.key = $3 AND (c.members @> $4 OR $4 IS NULL))
    """
  let change: Change
  func bind(_ parameters: inout Parameters) {
    let (kind, organization, key, member) = change.columns
    parameters.append(kind)
    parameters.append(organization)
    parameters.append(key)
    parameters.append(member.map { [$0] })
  }
}

extension Change {
  fileprivate var columns: (kind: Int16, organization: Int64?, key: Int64, member: Int64?) {
    switch self {
    case .organization(let organization): (1, organization.rawValue, organization.rawValue, nil)
    case .authority(let organization, let authority): (2, organization.rawValue, authority, nil)
    case .identity(let organization, let identity): (3, organization.rawValue, identity.rawValue, nil)
    case .certificate(let organization, let certificate): (4, organization.rawValue, certificate, nil)
    case .license(let organization, let product): (5, organization.rawValue, product.rawValue, nil)
    case .seatLost(let organization, let product, let identity):
      (6, organization.rawValue, product.rawValue, identity.rawValue)
    case .product(let product): (7, nil, product.rawValue, nil)
    }
  }

  /// The changes that one row tells of; none when a newer binary wrote it.
  static func all(kind: Int16, organization: Int64?, key: Int64, members: [Int64]?) -> [Change] {
    let tenant = Key<Organization>(organization ?? 0)
    switch kind {
    case 1: return [.organization(tenant)]
    case 2: return [.authority(tenant, authority: key)]
    case 3: return [.identity(tenant, Key(key))]
    case 4: return [.certificate(tenant, certificate: key)]
    case 5: return [.license(tenant, Key(key))]
    case 6: return (members ?? []).map { .seatLost(tenant, Key(key), Key($0)) }
    case 7: return [.product(Key(key))]
    case _: return []
    }
  }
}
