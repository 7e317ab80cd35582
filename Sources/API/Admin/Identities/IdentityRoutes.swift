import HTTP
import Issuance
import JSON
import Licensing

/// Whom certificates speak for.
enum IdentityRoutes {
  static let all: [Route] = [
    .admin(.post, "/v1/organizations/{org}/identities", for: .admin, create),
    .list(
      "/v1/organizations/{org}/identities",
      filters: ["q", "status", "role", "externalId", "certificateExpiresBefore", "notSeenSince"], list),
    .admin(.get, "/v1/organizations/{org}/identities/{identity}", for: .viewer, get),
    .admin(.patch, "/v1/organizations/{org}/identities/{identity}", for: .admin, change),
    .admin(.put, "/v1/organizations/{org}/identities/by-external-id/{externalId}", for: .admin, upsert),
    .admin(
      .delete, "/v1/organizations/{org}/identities/{identity}", for: .admin, query: ["erase"], delete),
  ]

  private struct External: Sendable {
    var authority = Identifier(high: 0, low: 0)
    var field = MappingRule.Field.sanURI
    var value = ""
  }

  @Sendable
  static func find(
    _ organization: Organization, _ exchange: Exchange, _ unit: any IssuanceUnitOfWork, _ locked: Bool
  ) async throws -> Identity? {
    guard let reference = IdentityReference(exchange.parameters["identity"]) else { return nil }
    return try await unit.identity(reference, of: organization.record.key, locked: locked)
  }

  private static func create(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.organization) { desk, organization in try await create(desk, organization) }
  }

  /// - Parameter externalID: what the path says; then the body need not.
  private static func create(
    _ desk: Desk, _ organization: Organization, externalID: String? = nil
  ) async throws -> Response {
    let id = try desk.services.newID()
    var (new, external) = try desk.exchange.body { reader in
      let new = NewIdentity(
        record: reader.newRecord(id, of: externalID), organization: organization.record.key,
        name: reader.required("name", .identityName),
        role: reader.optional("role", .one(of: .device, .admin)) ?? .device,
        attributes: reader.optional("attributes", .stringMap) ?? [:])
      return (new, reader.optional("external", externalName))
    }
    if let external { new.external = try await name(external, organization, desk) }
    let identity = try await desk.unit.insert(new)
    try await tell("identity.created", Owned(identity, of: organization), desk)
    return .resource(identity, madeAt: "\(organization.path)/identities/\(id)")
  }

  private static func upsert(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.organization) { desk, organization in
      let externalID = try exchange.externalID()
      func find() async throws -> Identity? {
        var filter = IdentityFilter()
        filter.externalID = externalID
        let key = organization.record.key
        let found = try await desk.unit.identities(of: key, filter, PageRequest(limit: 1)).elements.first
        guard let found else { return nil }
        return try await desk.unit.identity(.id(found.record.id), of: key, locked: true)
      }
      var found = try await find()
      if found == nil {
        // Under a lock, so that two requests make one.
        _ = try await desk.unit.organization(organization.slug, locked: true)
        found = try await find()
      }
      guard let found else { return try await create(desk, organization, externalID: externalID) }
      return try await change(desk, Owned(found, of: organization), isWhole: true)
    }
  }

  private static func list(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.organization) { desk, organization in
      var filter = IdentityFilter()
      filter.text = try exchange.queryText("q")
      filter.status = try exchange.query("status", oneOf: .active, .suspended)
      filter.role = try exchange.query("role", oneOf: .device, .admin)
      filter.externalID = try exchange.queryText("externalId")
      filter.certificateExpiresBefore = try exchange.queryTime("certificateExpiresBefore")
      filter.notSeenSince = try exchange.queryTime("notSeenSince")
      return exchange.list(
        try await desk.unit.identities(of: organization.record.key, filter, try exchange.page()))
    }
  }

  private static func get(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.identity) { _, found in .resource(found.resource) }
  }

  private static func change(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.identity) { desk, found in try await change(desk, found) }
  }

  /// - Parameter isWhole: the body may say what cannot be changed, as long as it is so.
  private static func change(
    _ desk: Desk, _ found: Owned<Identity>, isWhole: Bool = false
  ) async throws -> Response {
    let (changed, external) = try desk.exchange.body { reader in
      var changed = found.resource
      reader.keep("name", .identityName, found.resource.name, isWhole: isWhole)
      var external: External?
      if isWhole { external = reader.optional("external", externalName) } else { reader.refuse("external") }
      reader.replace("role", .one(of: .device, .admin), &changed.role)
      reader.replace("status", .one(of: .active, .suspended), &changed.status)
      reader.replace("attributes", .stringMap, &changed.attributes)
      reader.patch(&changed.record, isWhole: isWhole)
      return (changed, external)
    }
    if let external, try await name(external, found.organization, desk) != found.resource.external {
      throw Problem.invalid("/external", "cannot be changed")
    }
    try desk.exchange.requireMatch(found.resource.record)
    if isWhole, changed == found.resource { return .resource(changed) }
    let stored = try await desk.unit.update(changed)
    try await tell("identity.updated", Owned(stored, of: found.organization), desk)
    return .resource(stored)
  }

  /// With `erase` nothing is left that names someone, of one that was deleted before neither.
  private static func delete(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(deletable) { desk, found in
      let erases = try exchange.query("erase", oneOf: Flag.yes, .no) == .yes
      var identity = found.resource
      if identity.status != .deleted {
        try exchange.requireMatch(identity.record)
        identity.status = .deleted
        identity = try await desk.unit.update(identity)
        try await tell("identity.deleted", Owned(identity, of: found.organization), desk)
      }
      if erases {
        try await desk.unit.erase(identity)
        try await tell("identity.erased", Owned(identity, of: found.organization), desk)
      }
      return .noContent
    }
  }

  /// Who is there, and for who erases, by id, who was.
  private static let deletable = Finder<Owned<Identity>>.owned { organization, exchange, unit, locked in
    if let identity = try await find(organization, exchange, unit, locked) { return identity }
    guard exchange.query("erase") == Flag.yes.word, let id = Identifier(exchange.parameters["identity"])
    else { return nil }
    return try await unit.tombstone(id, of: organization.record.key)
  }

  private static let externalName = Shape<External>.object(placeholder: External()) { reader in
    External(
      authority: reader.required("authority", .identifier),
      field: reader.required("field", .choice(.sanURI)), value: reader.required("value", .string(1...1024)))
  }

  private static func name(
    _ external: External, _ organization: Organization, _ desk: Desk
  ) async throws -> ExternalName {
    let authority = try await desk.unit.authority(
      external.authority, of: organization.record.key, locked: false)
    guard let authority, authority.kind == .external else {
      throw Problem.invalid("/external/authority", "names no external authority of the organization")
    }
    guard let name = ExternalName(external.value, field: external.field, group: authority.group) else {
      throw Problem.invalid("/external/value", "must be the SHA-256 of the public key in hexadecimal")
    }
    return name
  }

  private static func tell(_ event: String, _ owned: Owned<Identity>, _ desk: Desk) async throws {
    let identity = owned.resource
    try await desk.record(
      event, of: owned.organization, identity: identity.record.key,
      ["id": identity.record.id.description, "role": identity.role.word, "status": identity.status.word])
    try await desk.announce(.identity(owned.organization.record.key, identity.record.key))
  }
}

extension Finder<Owned<Identity>> {
  /// What `{identity}` names within `{org}`: a name, or an id.
  static let identity = Finder.owned(IdentityRoutes.find)
}
