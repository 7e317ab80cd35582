import Cryptography
import Directory
import HTTP
import Licensing

/// The keys that sign leases, for anyone who checks one (RFC 7517).
enum KeySetRoute {
  static let all: [Route] = [
    Route(.get, "/v1/jwks.json", on: [.public, .device], for: .anyone, show)
  ]

  private static func show(_ exchange: Exchange) async throws -> Response {
    guard let keys = exchange.services.leases.keySet else {
      throw StorageError.unavailable("the keys that sign leases were not read yet")
    }
    // A new key is published for an hour before it signs: who keeps the set for minutes never meets an unknown one.
    return Response(
      200,
      headers: [
        HeaderField(.contentType, "application/jwk-set+json"),
        HeaderField(.cacheControl, "public, max-age=300"),
      ], body: Array(keys.utf8))
  }
}
