import Cryptography
import HTTP
import Issuance
import Licensing

/// OCSP for the CAs whose keys the service holds (RFC 6960 appendix A, RFC 5019): for anyone, without a secret.
enum OCSPRoutes {
  static let all: [Route] = [
    Route(.post, "/v1/authorities/{authority}/ocsp", on: [.public], for: .anyone, post),
    // Base64 has slashes, which not every client escapes.
    Route(.get, "/v1/authorities/{authority}/ocsp/{request*}", on: [.public], for: .anyone, get),
  ]

  private static func post(_ exchange: Exchange) async throws -> Response {
    try exchange.requireMediaType("application/ocsp-request")
    return try await answer(exchange.request.body, exchange)
  }

  private static func get(_ exchange: Exchange) async throws -> Response {
    // What is no base64 is no request either, which the answer to an empty one says.
    try await answer(Base64.decode(exchange.parameters["request"]) ?? [], exchange)
  }

  private static func answer(_ request: [UInt8], _ exchange: Exchange) async throws -> Response {
    guard let authority = Identifier(exchange.parameters["authority"]) else { throw Problem(.notFound) }
    let answer = await exchange.services.revoking.ocsp.answer(request, under: authority)
    let response = Response(
      200, headers: [HeaderField(.contentType, "application/ocsp-response")], body: answer.der)
    guard let validity = answer.validity else {
      return response.adding(HeaderField(.cacheControl, "no-store"))
    }
    return exchange.cacheable(
      response, tag: "\"\(try SHA256Digest(hashing: answer.der))\"", from: validity.from, until: validity.to)
  }
}
