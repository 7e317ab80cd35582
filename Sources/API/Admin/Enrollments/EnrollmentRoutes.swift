import HTTP
import Issuance
import JSON
import Licensing

/// Rights to get a certificate, each shown once.
enum EnrollmentRoutes {
  static let all: [Route] = [
    .admin(.post, "/v1/organizations/{org}/enrollments", for: .admin, create),
    .list("/v1/organizations/{org}/enrollments", list),
    .admin(.get, "/v1/organizations/{org}/enrollments/{enrollment}", for: .viewer, get),
    .admin(.delete, "/v1/organizations/{org}/enrollments/{enrollment}", for: .admin, delete),
  ]

  private static func create(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.organization) { desk, organization in
      let (record, name, licenseID, uses, seconds) = try exchange.body {
        [services = exchange.services] reader in
        (
          reader.newRecord(try services.newID()), reader.optional("identity", .issuableName),
          reader.optional("license", .identifier), reader.optional("uses", .count(1...100_000)) ?? 1,
          reader.optional("ttlSeconds", .integer(1...31_536_000)) ?? 86_400
        )
      }
      let license = try await license(licenseID, of: organization, desk)
      let identity = try await identity(name, of: organization, desk)
      let token = try BearerToken(.enrollment, random: exchange.services.random(32))
      let enrollment = try await desk.unit.insert(
        NewEnrollment(
          record: record, organization: organization.record.key, identity: identity?.record.key,
          license: license?.record.key, uses: uses, ttlSeconds: seconds, tokenHash: token.hash))
      try await desk.record(
        "enrollment.created", of: organization, license: license?.record.key, identity: identity?.record.key,
        ["id": record.id.description, "uses": "\(uses)"])
      return .resource(
        EnrollmentView(enrollment: enrollment, now: try await desk.unit.now()),
        madeAt: "\(organization.path)/enrollments/\(record.id)", secret: token)
    }
  }

  private static func list(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.organization) { desk, organization in
      let now = try await desk.unit.now()
      let page = try await desk.unit.enrollments(of: organization.record.key, try exchange.page())
      return exchange.list(
        Page(elements: page.elements.map { EnrollmentView(enrollment: $0, now: now) }, next: page.next))
    }
  }

  private static func get(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(enrollment) { desk, found in
      .resource(EnrollmentView(enrollment: found.resource, now: try await desk.unit.now()))
    }
  }

  private static func delete(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(enrollment) { desk, found in
      if !found.resource.isRevoked {
        try await desk.unit.revoke(found.resource.record.key)
        try await desk.record(
          "enrollment.revoked", of: found.organization, identity: found.resource.identity,
          ["id": found.resource.record.id.description])
      }
      return .noContent
    }
  }

  private static let enrollment = Finder.owned { organization, exchange, unit, _ in
    guard let id = Identifier(exchange.parameters["enrollment"]) else { return nil as Enrollment? }
    return try await unit.enrollment(id, of: organization.record.key)
  }

  private static func license(
    _ id: Identifier?, of organization: Organization, _ desk: Desk
  ) async throws -> License? {
    guard let id else { return nil }
    guard let license = try await desk.unit.license(id, of: organization.record.key, locked: false) else {
      throw Problem.invalid("/license", "is the id of no license of the organization")
    }
    return license
  }

  /// The identity of this name; an unknown one is made, under a lock so that two requests make one.
  private static func identity(
    _ name: IdentityName?, of organization: Organization, _ desk: Desk
  ) async throws -> Identity? {
    guard let name else { return nil }
    let key = organization.record.key
    if let identity = try await desk.unit.identity(.name(name), of: key, locked: false) { return identity }
    _ = try await desk.unit.organization(organization.slug, locked: true)
    if let identity = try await desk.unit.identity(.name(name), of: key, locked: false) { return identity }
    let identity = try await desk.unit.insert(
      NewIdentity(record: NewRecord(id: try desk.services.newID()), organization: key, name: name))
    try await desk.record(
      "identity.created", of: organization, identity: identity.record.key,
      ["id": identity.record.id.description, "role": identity.role.word, "status": identity.status.word])
    try await desk.announce(.identity(key, identity.record.key))
    return identity
  }
}
