import HTTP
import Issuance
import JSON
import Licensing

/// API tokens, each shown once: an organization's own under its path, the operators' under `/v1/tokens`.
enum TokenRoutes {
  static let all: [Route] =
    routes("/v1/organizations/{org}/tokens", readers: .viewer, writers: .admin)
    + routes("/v1/tokens", readers: .operator, writers: .operator)
    + [.admin(.get, "/v1/token", for: .viewer, own)]

  private static func routes(_ path: String, readers: Access, writers: Access) -> [Route] {
    [
      .admin(.post, path, for: writers, create),
      .list(path, for: readers, list),
      .admin(.get, "\(path)/{token}", for: readers, get),
      .admin(.delete, "\(path)/{token}", for: writers, delete),
      .admin(.post, "\(path)/{token}/rotate", for: writers, rotate),
    ]
  }

  /// Whose tokens the path is about; nil: the operators'.
  private static let owner = Finder<Organization?> { exchange, unit, locked in
    guard !exchange.parameters["org"].isEmpty else { return .some(nil) }
    return try await Finder<Organization>.organization.find(exchange, unit, locked).map(Optional.some)
  }

  private struct Place: Sendable {
    let organization: Organization?
    let token: APIToken

    var view: TokenView { TokenView(token: token, organization: organization?.slug) }
  }

  private static let place = Finder<Place> { exchange, unit, locked in
    guard let organization = try await owner.find(exchange, unit, locked),
      organization != nil || exchange.caller.holds(.operator),
      let id = Identifier(exchange.parameters["token"]),
      let token = try await unit.token(id, of: organization?.record.key)
    else { return nil }
    return Place(organization: organization, token: token)
  }

  private static func create(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(owner) { desk, organization in
      let (record, name, role, seconds) = try exchange.body { [services = exchange.services] reader in
        let record = reader.newRecord(try services.newID())
        let name = reader.required("name", .displayName)
        let role =
          organization == nil
          ? reader.optional("role", .one(of: APIToken.Role.operator)) ?? .operator
          : reader.required("role", .one(of: APIToken.Role.viewer, .admin))
        return (record, name, role, reader.optional("ttlSeconds", .integer(1...315_360_000)))
      }
      let secret = try newSecret(organization, exchange)
      let token = try await desk.unit.insert(
        NewAPIToken(
          record: record, organization: organization?.record.key, name: name, role: role, hash: secret.hash,
          ttlSeconds: seconds))
      try await desk.record(
        "token.created", of: organization, ["id": record.id.description, "role": role.word])
      return .resource(
        TokenView(token: token, organization: organization?.slug),
        madeAt: "\(exchange.request.path)/\(record.id)", secret: secret)
    }
  }

  private static func list(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(owner) { desk, organization in
      let page = try await desk.unit.tokens(of: organization?.record.key, try exchange.page())
      return exchange.list(
        Page(
          elements: page.elements.map { TokenView(token: $0, organization: organization?.slug) },
          next: page.next))
    }
  }

  private static func get(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(place) { _, place in .resource(place.view) }
  }

  private static func delete(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(place) { desk, place in
      try await desk.unit.revoke(place.token.record.key)
      try await desk.record(
        "token.revoked", of: place.organization, ["id": place.token.record.id.description])
      return .noContent
    }
  }

  private static func rotate(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(place) { desk, place in
      try exchange.body(isOptional: true) { _ in }
      let secret = try newSecret(place.organization, exchange)
      let token = try await desk.unit.rotate(place.token.record.key, hash: secret.hash)
      try await desk.record("token.rotated", of: place.organization, ["id": token.record.id.description])
      return .resource(TokenView(token: token, organization: place.organization?.slug), secret: secret)
    }
  }

  /// The token that the request itself carries.
  private static func own(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.nothing) { _, _ in
      guard case .token(let holder) = exchange.caller else { throw Problem(.notFound) }
      return .resource(TokenView(token: holder.token, organization: holder.slug))
    }
  }

  private static func newSecret(_ organization: Organization?, _ exchange: Exchange) throws -> BearerToken {
    try BearerToken(organization == nil ? .operator : .organization, random: exchange.services.random(32))
  }
}
