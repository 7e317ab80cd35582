import HTTP
import Issuance
import JSON
import Licensing

/// The tenants: the operator's to make and change, each readable by its own people.
enum OrganizationRoutes {
  static let all: [Route] = [
    .admin(.post, "/v1/organizations", for: .operator, create),
    .list("/v1/organizations", filters: ["q", "status", "externalId"], list),
    .admin(.get, "/v1/organizations/{org}", for: .viewer, get),
    .admin(.patch, "/v1/organizations/{org}", for: .operator, change),
    .admin(.delete, "/v1/organizations/{org}", for: .operator, delete),
    .admin(.put, "/v1/organizations/by-external-id/{externalId}", for: .operator, upsert),
  ]

  private static func create(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.nothing) { desk, _ in try await create(desk) }
  }

  /// - Parameter externalID: what the path says; then the body need not, and names no first admin.
  private static func create(_ desk: Desk, externalID: String? = nil) async throws -> Response {
    let id = try desk.services.newID()
    let (new, admin) = try desk.exchange.body { reader in
      let new = NewOrganization(
        record: reader.newRecord(id, of: externalID), slug: reader.required("slug", .slug),
        name: reader.required("name", .displayName), contactURL: reader.optional("contactUrl", .contactURL),
        hostname: reader.optional("hostname", .hostname),
        renewAfterExpirySeconds: reader.optional("renewAfterExpirySeconds", .integer(0...315_360_000)),
        certificates: reader.optional("certificates", .certificateTerms()) ?? CertificateTerms())
      return (new, externalID == nil ? reader.optional("admin", firstAdmin) : nil)
    }
    let organization = try await desk.unit.insert(new)
    try await desk.record("organization.created", of: organization, ["id": id.description])
    try await desk.announce(.organization(organization.record.key))
    guard let admin else { return .resource(organization, madeAt: organization.path) }
    let setup = try await setupToken(admin, of: organization, desk)
    return .resource(organization, madeAt: organization.path, secret: setup, as: "setupToken")
  }

  private static func upsert(_ exchange: Exchange) async throws -> Response {
    try await exchange.upsert {
      try await exchange.write(.nothing) { desk, _ in
        let externalID = try exchange.externalID()
        var filter = OrganizationFilter()
        filter.externalID = externalID
        guard let found = try await desk.unit.organizations(filter, PageRequest(limit: 1)).elements.first,
          let organization = try await desk.unit.organization(found.slug, locked: true)
        else { return try await create(desk, externalID: externalID) }
        return try await change(desk, organization, isWhole: true)
      }
    }
  }

  /// What the first admin's token will be called.
  private static let firstAdmin = Shape<String>.object(placeholder: "") { $0.required("name", .displayName) }

  private static func setupToken(
    _ admin: String, of organization: Organization, _ desk: Desk
  ) async throws -> BearerToken {
    let (id, token) = (
      try desk.services.newID(), try BearerToken(.setup, random: desk.services.random(32))
    )
    try await desk.unit.insert(
      NewSetupToken(
        id: id, organization: organization.record.key, name: admin, hash: token.hash,
        ttlSeconds: SetupRoute.seconds))
    try await desk.record("setup.created", of: organization, ["id": id.description])
    return token
  }

  /// An operator sees all, anyone else its own.
  private static func list(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.nothing) { desk, _ in
      let request = try exchange.page()
      var filter = OrganizationFilter()
      filter.text = try exchange.queryText("q")
      filter.status = try exchange.query("status", oneOf: .active, .suspended)
      filter.externalID = try exchange.queryText("externalId")
      filter.slug = exchange.caller.organization
      return exchange.list(try await desk.unit.organizations(filter, request))
    }
  }

  private static func get(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.organization) { _, organization in .resource(organization) }
  }

  private static func change(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.organizationItself) { desk, organization in try await change(desk, organization)
    }
  }

  /// - Parameter isWhole: the body may say what cannot be changed, as long as it is so.
  private static func change(
    _ desk: Desk, _ organization: Organization, isWhole: Bool = false
  ) async throws -> Response {
    let changed = try desk.exchange.body { reader in
      var changed = organization
      reader.keep("slug", .slug, organization.slug, isWhole: isWhole)
      reader.replace("name", .displayName, &changed.name)
      reader.replace("status", .one(of: .active, .suspended), &changed.status)
      reader.patch("contactUrl", .contactURL, &changed.contactURL)
      reader.patch("hostname", .hostname, &changed.hostname)
      reader.replace("renewAfterExpirySeconds", .integer(0...315_360_000), &changed.renewAfterExpirySeconds)
      reader.replace("certificates", .certificateTerms(changing: changed.certificates), &changed.certificates)
      reader.patch(&changed.record, isWhole: isWhole)
      return changed
    }
    try desk.exchange.requireMatch(organization.record)
    if isWhole, changed == organization { return .resource(organization) }
    return .resource(try await store(changed, "organization.updated", desk))
  }

  private static func delete(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.organizationItself) { desk, organization in
      try exchange.requireMatch(organization.record)
      let held = try await desk.unit.seatsHeld(by: organization.record.key)
      guard held == 0 else {
        throw Problem(
          .organizationInUse, "\(Problem.held(held)) \(ProblemCode.organizationInUse.entry.remedy)",
          extensions: [Problem.Extension("held", .integer(held))])
      }
      var deleted = organization
      deleted.status = .deleted
      _ = try await store(deleted, "organization.deleted", desk)
      return .noContent
    }
  }

  private static func store(
    _ organization: Organization, _ event: String, _ desk: Desk
  ) async throws -> Organization {
    let stored = try await desk.unit.update(organization)
    try await desk.record(event, of: stored, ["status": stored.status.word])
    try await desk.announce(.organization(stored.record.key))
    return stored
  }
}
