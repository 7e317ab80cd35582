import HTTP
import Issuance
import JSON
import Licensing

/// The first admin of an organization: whoever has the setup token makes a token of its own.
enum SetupRoute {
  /// How long a setup token lives.
  static let seconds: Int64 = 259_200

  static let all: [Route] = [Route(.post, "/v1/setup", on: [.admin], for: .anyone, setUp)]

  /// A setup token is spent by what it makes; a malformed request spends nothing.
  private static func setUp(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.nothing) { desk, _ in
      let text = try exchange.body { $0.required("setupToken", .string(1...256)) }
      guard let setup = BearerToken(text, of: [.setup]),
        let spent = try await desk.unit.spendSetupToken(hash: setup.hash),
        let organization = try await desk.unit.organization(spent.organization, locked: false)
      else {
        throw Problem(
          .tokenInvalid,
          "The setup token is unknown, older than 72 hours or already used. Ask your vendor for another way in.",
          headers: [HeaderField(.wwwAuthenticate, "Bearer")])
      }
      let secret = try BearerToken(.organization, random: exchange.services.random(32))
      let token = try await desk.unit.insert(
        NewAPIToken(
          record: NewRecord(id: try exchange.services.newID()), organization: organization.record.key,
          name: spent.name, role: .admin, hash: secret.hash, ttlSeconds: nil))
      try await desk.record(
        "token.created", of: organization,
        [
          "id": token.record.id.description, "role": token.role.word, "setup": spent.id.description,
        ])
      var response = Response.resource(
        TokenView(token: token, organization: organization.slug),
        madeAt: "\(organization.path)/tokens/\(token.record.id)", secret: secret)
      response.headers.append(HeaderField(.cacheControl, "no-store"))
      return response
    }
  }
}
