import Cryptography
import Directory
import HTTP
import JSON
import Licensing
import PKIX
import Reactor

/// A Seat as a signed lease: a JWT (RFC 7519) that holds without a network, for whoever has the device's key.
enum SeatLease {
  static let mediaType = "application/jwt"

  /// Whether the client asks for a signed lease in place of JSON (RFC 9110 section 12.5.1).
  static func isWanted(by request: Request) -> Bool { request.accepts(mediaType) }

  /// The lease in its compact form, as of now.
  static func sign(
    _ held: HeldSeat, product: ProductCode, device: DeviceCaller, services: Services
  ) throws -> String {
    let now = MonotonicInstant.now
    let (issuedAt, validity) = (held.databaseTime(at: now), held.validity(at: now))
    let certificate = device.peer.certificate
    let id = try services.newID()
    let thumbprint = try certificate.publicKey.flatMap { try JSONWebKey($0)?.thumbprint() }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("iss", services.issuer)
      writer.member("sub", device.name.description)
      writer.member("aud", product.description)
      writer.member("jti", id)
      writer.member("iat", issuedAt.seconds)
      writer.member("nbf", issuedAt.seconds)
      writer.member("exp", validity.until.seconds)
      // Whoever presents it must have this key (RFC 7800): by TLS (RFC 8705) or by a signature (RFC 9449).
      writer.member(
        "cnf",
        object: { writer in
          writer.member("x5t#S256", Base64.encodeURL(certificate.fingerprint.bytes))
          if let thumbprint { writer.member("jkt", thumbprint) }
        })
      writer.seatMembers(SeatFace.of(held, product: product, device: device), validity)
    }
    return try services.leases.sign(writer.bytes, at: services.clock())
  }
}

extension Services {
  /// Who signs leases.
  fileprivate var issuer: String { publicURL.isEmpty ? deviceURL : publicURL }
}

extension Exchange {
  /// Whether the client asks for a signed lease.
  var wantsLease: Bool { SeatLease.isWanted(by: request) }

  /// A Seat in the form that the client asks for; `previous` is what memory had of it before it was renewed.
  func response(
    seat held: HeldSeat, after previous: HeldSeat? = nil, _ status: Int, product: ProductCode,
    device: DeviceCaller
  ) throws -> Response {
    guard wantsLease else {
      return Response(seat: held, after: previous, status, product: product, device: device)
    }
    return try response(lease: held, status, product: product, device: device)
  }

  /// A Seat as a signed lease, whatever the client asks for.
  func response(
    lease held: HeldSeat, _ status: Int, product: ProductCode, device: DeviceCaller
  ) throws -> Response {
    Response(
      status,
      headers: [
        HeaderField(.contentType, SeatLease.mediaType), HeaderField(.etag, "\"\(held.seat.generation)\""),
      ],
      body: Array(
        try SeatLease.sign(held, product: product, device: device, services: services).utf8))
  }
}
