import Licensing
import Postgres

/// What speaks against the license of a seat that is there, swept or not.
struct SeatSuspension: Statement {
  static let sql: StaticString = """
    SELECT CASE WHEN l.status = 2 THEN 'license-suspended' WHEN l.ends_at <= n.t THEN 'license-expired'
      WHEN l.starts_at > n.t THEN 'license-not-started' END
    FROM seat s
    JOIN license l ON l.organization_id = s.organization_id AND l.id = s.license_id
    JOIN license_counter c
      ON c.organization_id = s.organization_id AND c.product_id = s.product_id AND c.license_id = s.license_id
    CROSS JOIN LATERAL (SELECT greatest(statement_timestamp(), c.last_at) AS t) n
    WHERE s.organization_id = $1 AND s.product_id = $2 AND s.identity_id = $3
    """
  let organization: Key<Organization>
  let product: Key<Product>
  let identity: Key<Identity>

  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(product)
    parameters.append(identity)
  }

  static func row(_ columns: borrowing Columns) throws(PostgresError) -> SeatRefusal.Reason? {
    try columns.optionalString(0).flatMap(SeatRefusal.Reason.init)
  }
}
