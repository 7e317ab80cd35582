import Cryptography
import HTTP
import Issuance
import Licensing

/// The revocation list of a CA whose key the service holds, for anyone (RFC 5280 section 4.2.1.13: one DER list).
enum RevocationListRoute {
  static let all: [Route] = [
    Route(.get, "/v1/authorities/{authority}/crl", on: [.public], for: .anyone, show)
  ]

  private static func show(_ exchange: Exchange) async throws -> Response {
    guard let id = Identifier(exchange.parameters["authority"]),
      let list = try await exchange.services.revoking.lists.list(of: id)
    else { throw Problem(.notFound) }
    // The time tells apart what a database that was set back would number alike.
    let tag = "\"\(Hexadecimal.encode(list.version.number))-\(list.version.createdAt.microseconds)\""
    return exchange.cacheable(
      Response(200, headers: [HeaderField(.contentType, "application/pkix-crl")], body: list.der ?? []),
      tag: tag, from: list.thisUpdate.seconds, until: list.nextUpdate.seconds)
  }
}
