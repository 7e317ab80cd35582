import HTTP
import Issuance
import JSON
import Licensing

/// Who holds the seats of a license: the organization's admins give and take them.
enum SeatRoutes {
  static let all: [Route] = [
    .list("/v1/organizations/{org}/licenses/{license}/seats", list),
    .admin(.put, "/v1/organizations/{org}/licenses/{license}/seats/{identity}", for: .admin, assign),
    .admin(
      .delete, "/v1/organizations/{org}/licenses/{license}/seats/{identity}", for: .admin,
      query: ["blockSeconds", "force"], free),
  ]

  struct Place: Sendable {
    let license: License
    let identity: Identity
  }

  private static let place = Finder<Owned<Place>>.owned { organization, exchange, unit, locked in
    guard let license = try await LicenseRoutes.find(organization, exchange, unit, locked),
      let identity = try await IdentityRoutes.find(organization, exchange, unit, locked)
    else { return nil }
    return Place(license: license, identity: identity)
  }

  private static func list(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.license) { desk, found in
      exchange.list(
        try await desk.unit.seats(
          of: found.resource.record.key, organization: found.organization.record.key, try exchange.page()))
    }
  }

  private static func assign(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(place) { desk, found in
      try exchange.body(isOptional: true) { _ in }
      let identity = found.resource.identity
      let outcome = try await desk.unit.assign(
        found.resource.license, to: identity, actor: exchange.caller.actor)
      func holding(_ seat: Seat) -> SeatHolding {
        SeatHolding(identity: identity.name, identityID: identity.record.id, seat: seat, lastSeenAt: nil)
      }
      switch outcome {
      case .assigned(let seat): return .resource(holding(seat), madeAt: exchange.request.path)
      case .already(let seat): return .resource(holding(seat))
      case .refused(let refusal): throw refusal
      }
    }
  }

  private static func free(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(place) { desk, found in
      let blockSeconds = try exchange.query("blockSeconds", in: 0...31_536_000) ?? 0
      let (license, identity) = (found.resource.license, found.resource.identity)
      let outcome = try await desk.unit.free(
        license, of: identity, blockSeconds: blockSeconds, isForced: try exchange.flag("force"),
        actor: exchange.caller.actor)
      switch outcome {
      case .nothingHeld: break
      case .freed:
        try await desk.announce(
          .seatLost(found.organization.record.key, license.product, identity.record.key))
      case .borrowed(let until):
        let time = Timestamp(microsecondsSince1970: until.microseconds)
        throw Problem(
          .seatBorrowed, extensions: [Problem.Extension("borrowedUntil", .string(time.description))])
      }
      return .noContent
    }
  }
}
