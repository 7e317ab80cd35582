import Licensing
import Postgres

/// Confines the rest of a transaction to an organization (decision 85); false: the database has no second wall.
struct Confine: Statement {
  static let sql: StaticString = "SELECT confine($1)"
  let organization: Key<Organization>
  func bind(_ parameters: inout Parameters) { parameters.append(organization) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Bool { try columns.bool(0) }
}
