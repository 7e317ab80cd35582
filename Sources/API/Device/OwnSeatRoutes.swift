import Directory
import HTTP
import JSON
import Licensing
import Reactor

/// A device's own seat of a product (api.md, "Device API").
enum OwnSeatRoutes {
  static let all: [Route] = [
    Route(
      .get, "/v1/seats/{product}", on: [.device], for: .device, query: ["after", "wait"],
      atOnce: OwnSeatCheck.prompt, check),
    Route(.put, "/v1/seats/{product}", on: [.device], for: .device, query: ["dryRun"], claim),
    Route(.delete, "/v1/seats/{product}", on: [.device], for: .device, release),
  ]

  private static func check(_ exchange: Exchange) async throws -> Response {
    let (device, product) = try exchange.deviceAndProduct()
    if let wait = try SeatPoll(exchange) { return try await wait.answer(device, product, exchange) }
    guard
      let held = try await exchange.services.seats.seat(
        of: device.identity, organization: device.organization, product: product)
    else { throw Problem(.seatNotHeld, contactURL: device.contactURL) }
    return try exchange.response(seat: held, 200, product: product, device: device)
  }

  private static func claim(_ exchange: Exchange) async throws -> Response {
    let (device, product) = try exchange.deviceAndProduct()
    let wish = try exchange.wish()
    let operation: SeatRequest.Operation =
      try exchange.generationOfIfMatch().map { .renew(generation: $0) } ?? .claim
    if try exchange.flag("dryRun") {
      let outcome = try await exchange.services.seats.preview(
        operation, wish: wish, identity: device.identity, organization: device.organization, product: product)
      return try preview(outcome, device)
    }
    let decision = try await exchange.services.seats.decide(
      operation, wish: wish, identity: device.identity, organization: device.organization, product: product)
    switch decision {
    case .granted(let held): return try exchange.response(seat: held, 201, product: product, device: device)
    case .renewed(let held, let previous):
      return try exchange.response(seat: held, after: previous, 200, product: product, device: device)
    case .refused(let refusal): throw problem(refusal, device)
    case .released: throw StorageError.fault("a claim was answered as a release")
    }
  }

  /// Whether a claim would be granted, and of which license; a refusal is told as it would be.
  private static func preview(_ outcome: SeatOutcome, _ device: DeviceCaller) throws -> Response {
    let (seat, isNew): (Seat, Bool)
    switch outcome {
    case .granted(let new): (seat, isNew) = (new, true)
    case .renewed(let held): (seat, isNew) = (held, false)
    case .refused(let refusal): throw problem(refusal, device)
    case .released: throw StorageError.fault("a claim was answered as a release")
    }
    return .json(200) { writer in
      writer.object { writer in
        writer.member("outcome", isNew ? "granted" : "renewed")
        writer.member("license", seat.license)
        writer.member("kind", seat.kind.name)
        writer.member("overdraft", seat.overdraft)
        writer.member("features", seat.features)
      }
    }
  }

  private static func problem(_ refusal: SeatRefusal, _ device: DeviceCaller) -> Problem {
    var problem = Problem(refusal)
    problem.contactURL = device.contactURL
    return problem
  }

  private static func release(_ exchange: Exchange) async throws -> Response {
    let (device, product) = try exchange.deviceAndProduct()
    _ = try await exchange.services.seats.decide(
      .release, identity: device.identity, organization: device.organization, product: product)
    return .noContent
  }
}

extension Exchange {
  /// The device that calls, and the product it names; a code that none can have is one that nobody knows.
  func deviceAndProduct() throws(Problem) -> (DeviceCaller, ProductCode) {
    let device = try device()
    guard let product = ProductCode(parameters["product"]) else {
      throw Problem(.productUnknown, contactURL: device.contactURL)
    }
    return (device, product)
  }

  /// What the body demands. `version` and `session` are taken and not yet looked at.
  fileprivate func wish() throws -> SeatWish {
    if request.body.isEmpty { return .none }
    return try body { reader in
      _ = reader.optional("version", .string(1...64))
      _ = reader.optional("session", .string(1...128))
      return SeatWish(
        license: reader.optional("license", .identifier),
        features: reader.optional("features", .array(of: .string(1...128), count: 0...128)) ?? [])
    }
  }

  /// The generation that `If-Match` names, or zero for `*`; nil without the header.
  fileprivate func generationOfIfMatch() throws(Problem) -> Int64? {
    guard let text = request.header(.ifMatch) else { return nil }
    if text == "*" { return 0 }
    guard text.hasPrefix("\""), text.hasSuffix("\""), let generation = Int64(text.dropFirst().dropLast()),
      generation > 0
    else { throw Problem.invalid("If-Match", "must be the ETag of a seat, such as \"7\", or *") }
    return generation
  }
}
