import Cryptography
import Directory
import HTTP
import Issuance
import JSON
import Licensing
import PKIX
import Reactor

/// Who the caller is, by its certificate, and which seats it holds.
enum IdentityRoute {
  static let all: [Route] = [Route(.get, "/v1/identity", on: [.device], for: .device, show)]

  private static func show(_ exchange: Exchange) async throws -> Response {
    let device = try exchange.device()
    let seats = try await exchange.services.seats.seats(
      of: device.identity, organization: device.organization)
    let certificate = device.peer.certificate
    return .json(200) { writer in
      writer.object { writer in
        writer.member("organization", device.slug.description)
        writer.member("identity", device.name.description)
        writer.member(
          "certificate",
          object: { writer in
            writer.member("serialNumber", certificate.serialNumber.description)
            writer.member("fingerprint", certificate.fingerprint.hexadecimal)
            writer.member("notAfter", Instant(seconds: certificate.notAfter))
            writer.member("renewAfter", device.peer.renewAfter)
          })
        let now = MonotonicInstant.now
        writer.member("seats", array: seats) { writer, line in
          let face = SeatFace.of(line.held, product: line.product, device: device)
          writer.object { $0.seatMembers(face, line.held.validity(at: now)) }
        }
      }
    }
  }
}
