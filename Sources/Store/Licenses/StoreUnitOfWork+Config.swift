import Licensing
import Postgres

extension StoreUnitOfWork {
  func config(of owner: ConfigOwner) async throws(StorageError) -> Config {
    switch owner {
    case .organization(let key): try await one(OrganizationConfig(organization: key))
    case .license(let license): try await one(LicenseConfig(license: license))
    case .identity(let identity): try await one(IdentityConfig(identity: identity))
    }
  }

  func replaceConfig(of owner: ConfigOwner, with config: Config) async throws(StorageError) {
    switch owner {
    case .organization(let key):
      _ = try await run(ReplaceOrganizationConfig(organization: key, config: config))
    case .license(let license):
      _ = try await run(LimitLicense(license: license))
      _ = try await run(ReplaceLicenseConfig(license: license, config: config))
    case .identity(let identity):
      _ = try await run(ReplaceIdentityConfig(identity: identity, config: config))
    }
  }
}

struct OrganizationConfig: Statement {
  static let sql: StaticString = "SELECT config FROM organization WHERE id = $1"
  let organization: Key<Organization>
  func bind(_ parameters: inout Parameters) { parameters.append(organization) }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Config { try columns.config(0) }
}

struct LicenseConfig: Statement {
  static let sql: StaticString = "SELECT config FROM license WHERE organization_id = $1 AND id = $2"
  let license: License
  func bind(_ parameters: inout Parameters) {
    parameters.append(license.organization)
    parameters.append(license.record.key)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Config { try columns.config(0) }
}

struct IdentityConfig: Statement {
  static let sql: StaticString = "SELECT config FROM identity WHERE organization_id = $1 AND id = $2"
  let identity: Identity
  func bind(_ parameters: inout Parameters) {
    parameters.append(identity.organization)
    parameters.append(identity.record.key)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Config { try columns.config(0) }
}

struct ReplaceOrganizationConfig: Statement {
  static let sql: StaticString = "UPDATE organization SET config = $2 WHERE id = $1"
  let organization: Key<Organization>
  let config: Config
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(json: config.json)
  }
}

struct ReplaceLicenseConfig: Statement {
  static let sql: StaticString = "UPDATE license SET config = $3 WHERE organization_id = $1 AND id = $2"
  let license: License
  let config: Config
  func bind(_ parameters: inout Parameters) {
    parameters.append(license.organization)
    parameters.append(license.record.key)
    parameters.append(json: config.json)
  }
}

struct ReplaceIdentityConfig: Statement {
  static let sql: StaticString = "UPDATE identity SET config = $3 WHERE organization_id = $1 AND id = $2"
  let identity: Identity
  let config: Config
  func bind(_ parameters: inout Parameters) {
    parameters.append(identity.organization)
    parameters.append(identity.record.key)
    parameters.append(json: config.json)
  }
}
