import Directory
import HTTP
import JSON
import Licensing
import Reactor

/// Takes a seat away from the network: until the time that was asked for it is the device's, heard from or not. Its early
/// return is `DELETE` of the seat, over a connection that proves the same identity.
enum BorrowRoute {
  static let all: [Route] = [
    Route(.post, "/v1/seats/{product}/borrow", on: [.device], for: .device, borrow)
  ]

  private static func borrow(_ exchange: Exchange) async throws -> Response {
    let (device, product) = try exchange.deviceAndProduct()
    let until = try exchange.body { reader in reader.required("until", .instant) }
    let decision = try await exchange.services.seats.decide(
      .borrow(until: until), identity: device.identity, organization: device.organization, product: product)
    switch decision {
    case .granted(let held), .renewed(let held, after: _):
      return try exchange.response(borrowed: held, product: product, device: device)
    case .refused(let refusal):
      var problem = Problem(refusal)
      problem.contactURL = device.contactURL
      throw problem
    case .released: throw StorageError.fault("a loan was answered as a release")
    }
  }
}

extension Exchange {
  /// 201: the lease itself, or for those who accept JSON only, a Seat with the member `lease`.
  fileprivate func response(
    borrowed held: HeldSeat, product: ProductCode, device: DeviceCaller
  ) throws -> Response {
    if wantsLease || !request.accepts("application/json") {
      return try response(lease: held, 201, product: product, device: device)
    }
    let lease = try SeatLease.sign(held, product: product, device: device, services: services)
    return .json(201, headers: [HeaderField(.etag, "\"\(held.seat.generation)\"")]) { writer in
      writer.object { writer in
        writer.member("lease", lease)
        writer.seatMembers(SeatFace.of(held, product: product, device: device), held.validity(at: .now))
      }
    }
  }
}
