import Directory
import HTTP
import Licensing
import Reactor

/// The long poll of a device's own seat (api.md, "Device API"): `?after={revision}&wait={seconds}`.
struct SeatPoll {
  /// The longest that a client may wait, in seconds: below most proxies' patience with an idle connection.
  static let longestWait: Int64 = 300
  private static let usualWait: Int64 = 50

  private let revision: Int64
  private let wait: Int64

  /// Nil when the request asks for the seat as it is now.
  init?(_ exchange: Exchange) throws(Problem) {
    let revision = try exchange.query("after", in: 0...Int64.max)
    let wait = try exchange.query("wait", in: 0...Self.longestWait)
    guard let revision else {
      if wait != nil { throw .invalid("?wait", "goes with “after”, the revision of the seat that you know") }
      return nil
    }
    self.revision = revision
    self.wait = wait ?? Self.usualWait
  }

  func answer(_ device: DeviceCaller, _ product: ProductCode, _ exchange: Exchange) async throws -> Response {
    let outcome = try await exchange.services.seats.watch(
      device.peer, device.identity, product: product, after: revision,
      until: .now.advanced(by: .seconds(wait)))
    switch outcome {
    case .changed(let held): return try exchange.response(seat: held, 200, product: product, device: device)
    case .unchanged: return .noContent
    case .closed:
      var response = Response.noContent
      response.closes = true
      return response
    case .refused(let refusal):
      var response = ProblemWriter.response(Problem(peer: refusal, contactURL: device.contactURL))
      response.closes = true
      return response
    case .lost(let reason):
      var problem = reason.map { Problem(SeatRefusal(reason: $0)) } ?? Problem(.seatNotHeld)
      problem.contactURL = device.contactURL
      throw problem
    }
  }
}
