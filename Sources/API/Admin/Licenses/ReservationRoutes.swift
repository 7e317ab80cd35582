import HTTP
import JSON
import Licensing

/// For whom seats of a license are set aside: one document, which an organization's admins replace.
enum ReservationRoutes {
  private static let path = "/v1/organizations/{org}/licenses/{license}/reservations"

  static let all: [Route] = [
    .admin(.get, path, for: .viewer, get), .admin(.put, path, for: .admin, replace),
  ]

  private static func get(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.license) { desk, found in
      .resource(try await desk.unit.reservations(of: found.resource))
    }
  }

  private static func replace(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.license) { desk, found in
      let license = found.resource
      let names = try exchange.body { reader in
        reader.required("identities", .array(of: .identityName, count: 0...10_000))
      }
      try exchange.requireMatch(try await desk.unit.reservations(of: license).entityTag)
      let wanted = Reservations(names)
      switch try await desk.unit.reserve(wanted, of: license) {
      case .reserved: break
      case .full:
        throw SeatRefusal(
          reason: .noSeatAvailable, seats: Int64(license.terms.seats), held: license.usage.held)
      case .unknown(let strangers):
        let strangers = Set(strangers)
        throw Problem(
          .invalid, "Some of these identities do not exist.",
          errors: names.enumerated().filter { strangers.contains($0.element) }.map {
            Problem.FieldError(pointer: "/identities/\($0.offset)", detail: "names no identity")
          })
      }
      try await desk.record(
        "license.reserved", of: found.organization, license: license.record.key,
        ["id": license.record.id.description, "identities": "\(wanted.identities.count)"])
      return .resource(wanted)
    }
  }
}

extension Reservations: ResourceRepresentation {
  var entityTag: String { "\"\(String(digest, radix: 16))\"" }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("identities", identities.map(\.description))
  }
}
