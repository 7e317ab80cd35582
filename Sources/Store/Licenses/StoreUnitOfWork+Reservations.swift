import Licensing
import Postgres

extension StoreUnitOfWork {
  func reservations(of license: License) async throws(StorageError) -> Reservations {
    Reservations(try await run(FindReservations(license: license)))
  }

  func reserve(
    _ reservations: Reservations, of license: License
  ) async throws(StorageError) -> ReserveOutcome {
    let known = try await run(
      FindIdentityKeys(organization: license.organization, names: reservations.identities))
    guard known.count == reservations.identities.count else {
      let names = Set(known.map(\.name))
      return .unknown(reservations.identities.filter { !names.contains($0) })
    }
    return try await one(ReserveSeats(license: license, identities: known.map(\.key))) ? .reserved : .full
  }
}

/// For whom seats of a license are reserved; cool-downs are not.
struct FindReservations: Statement {
  static let sql: StaticString = """
    SELECT i.name FROM reservation r
    JOIN identity i ON i.organization_id = r.organization_id AND i.id = r.identity_id
    WHERE r.organization_id = $1 AND r.license_id = $2 AND r.until IS NULL
    """
  let license: License
  func bind(_ parameters: inout Parameters) {
    parameters.append(license.organization)
    parameters.append(license.record.key)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> IdentityName {
    try columns.parsed(0, IdentityName.init)
  }
}

/// The identities of these names.
struct FindIdentityKeys: Statement {
  static let sql: StaticString = """
    SELECT i.id, i.name FROM unnest($2::text[]) x(name)
    JOIN identity i ON i.organization_id = $1 AND i.name = x.name AND i.status < 3
    """
  let organization: Key<Organization>
  let names: [IdentityName]
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(names.map(\.description))
  }
  static func row(
    _ columns: borrowing Columns
  ) throws(PostgresError) -> (key: Key<Identity>, name: IdentityName) {
    (try columns.key(0), try columns.parsed(1, IdentityName.init))
  }
}

/// True when there was room.
struct ReserveSeats: Statement {
  static let sql: StaticString = "SELECT license_reserve($1, $2, $3, $4)"
  let license: License
  let identities: [Key<Identity>]
  func bind(_ parameters: inout Parameters) {
    parameters.append(license.organization)
    parameters.append(license.product)
    parameters.append(license.record.key)
    parameters.append(identities.map(\.rawValue))
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Bool { try columns.bool(0) }
}
