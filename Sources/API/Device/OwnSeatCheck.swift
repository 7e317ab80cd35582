import Directory
import HTTP
import Licensing

/// The check of a device's own seat of one product, where memory has it: the hot path.
final class OwnSeatCheck: PromptAnswer {
  private let product: ProductCode
  /// The seat that was last found, and how it looks.
  private var last: (known: KnownSeat, face: SeatFace)?

  private init(of product: ProductCode) { self.product = product }

  /// What can be said of a seat in JSON, as of now, and nothing else.
  static func prompt(_ request: Request, _ parameters: RouteParameters) -> (any PromptAnswer)? {
    guard !request.hasQuery, !SeatLease.isWanted(by: request),
      let product = ProductCode(parameters["product"])
    else { return nil }
    return OwnSeatCheck(of: product)
  }

  func response(to device: DeviceCaller, _ services: Services) -> Response? {
    if let last, services.seats.stillHas(last.known, of: device.identity) {
      return Response(seat: last.known.held, last.face, 200)
    }
    guard let known = try? services.seats.seatInMemory(of: device.identity, product: product) else {
      last = nil
      return nil
    }
    let face = SeatFace.of(known.held, product: product, device: device)
    last = (known, face)
    return Response(seat: known.held, face, 200)
  }
}
