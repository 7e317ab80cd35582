import HTTP
import Issuance
import Licensing
import PKIX

/// The certificate of a CA, for anyone: PEM, or DER for those who ask for `application/pkix-cert`. Certificates point to
/// an address that has DER for all (RFC 5280 section 4.2.2.1).
enum AuthorityCertificateRoute {
  static let all: [Route] = [
    Route(.get, "/v1/authorities/{authority}/certificate", on: [.public], for: .anyone, show),
    Route(.get, "/v1/authorities/{authority}/certificate.der", on: [.public], for: .anyone) {
      response(der: try await certificate($0))
    },
  ]

  private static func certificate(_ exchange: Exchange) async throws -> [UInt8] {
    guard let id = Identifier(exchange.parameters["authority"]),
      let der = try await exchange.services.units.read({ try await $0.publicCertificate(of: id) })
    else { throw Problem(.notFound) }
    return der
  }

  private static func response(der: [UInt8]) -> Response {
    Response(200, headers: [HeaderField(.contentType, "application/pkix-cert")], body: der)
  }

  private static func show(_ exchange: Exchange) async throws -> Response {
    let der = try await certificate(exchange)
    if exchange.request.header(.accept)?.contains("application/pkix-cert") == true {
      return response(der: der)
    }
    let pem = PEM.encode(der, label: "CERTIFICATE")
    return Response(
      200, headers: [HeaderField(.contentType, "application/x-pem-file")], body: Array(pem.utf8))
  }
}
