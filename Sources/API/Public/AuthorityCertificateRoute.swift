import HTTP
import Issuance
import Licensing
import PKIX

/// The certificate of a CA, for anyone: PEM, or DER for those who ask for `application/pkix-cert`.
enum AuthorityCertificateRoute {
  static let all: [Route] = [
    Route(.get, "/v1/authorities/{authority}/certificate", on: [.public], for: .anyone, show)
  ]

  private static func show(_ exchange: Exchange) async throws -> Response {
    guard let id = Identifier(exchange.parameters["authority"]),
      let der = try await exchange.services.units.read({ try await $0.publicCertificate(of: id) })
    else { throw Problem(.notFound) }
    if exchange.request.header(.accept)?.contains("application/pkix-cert") == true {
      return Response(200, headers: [HeaderField(.contentType, "application/pkix-cert")], body: der)
    }
    let pem = PEM.encode(der, label: "CERTIFICATE")
    return Response(
      200, headers: [HeaderField(.contentType, "application/x-pem-file")], body: Array(pem.utf8))
  }
}
