import Directory
import HTTP
import JSON
import Licensing
import Reactor

extension Response {
  /// A Seat (api.md, "Device API"), its times as of now.
  init(seat held: HeldSeat, _ status: Int, product: ProductCode, device: DeviceCaller) {
    self = .json(status, headers: [HeaderField(.etag, "\"\(held.seat.generation)\"")]) { writer in
      writer.object { $0.seatMembers(held, product: product, device: device, now: .now) }
    }
  }
}

extension JSONWriter {
  mutating func seatMembers(
    _ held: HeldSeat, product: ProductCode, device: DeviceCaller, now: MonotonicInstant
  ) {
    let seat = held.seat
    let validity = held.validity(at: now)
    member("product", product.description)
    member("license", seat.license)
    member("organization", device.slug.description)
    member("identity", device.name.description)
    member("kind", seat.kind.name)
    member("generation", seat.generation)
    member("revision", seat.revision)
    member("grantedAt", seat.grantedAt)
    member("expiresAt", seat.expiresAt)
    member("validUntil", validity.until)
    member("validIn", validity.seconds)
    member("renewIn", validity.renewIn)
    member("graceSeconds", Int64(seat.graceSeconds))
    member("overdraft", seat.overdraft)
    member("features", seat.features)
    member("config", json: seat.config.json)
    member("borrowedUntil", seat.borrowedUntil)
  }
}

/// How long an app may work on without hearing from the server.
struct Validity {
  let until: Instant
  /// Whole seconds from now, for a clock that counts sleep.
  let seconds: Int64
  /// About a third of `seconds`, ±10 %, so that a fleet started together does not renew together.
  let renewIn: Int64
}

extension HeldSeat {
  func validity(at now: MonotonicInstant) -> Validity {
    let time = databaseTime(at: now)
    let end = seat.validUntil(at: time)
    let seconds = max(0, end.microseconds(since: time) / 1_000_000)
    // A cheap scatter: the clock's low digits, stirred (the constant is 2^64 divided by the golden ratio).
    let stirred = UInt64(bitPattern: now.nanoseconds &+ seat.generation) &* 0x9E37_79B9_7F4A_7C15
    let percent = Int64(stirred >> 32 % 21) + 90
    return Validity(until: end, seconds: seconds, renewIn: max(1, seconds * percent / 300))
  }
}

extension Seat.Kind {
  var name: String {
    switch self {
    case .lease: "lease"
    case .assigned: "assigned"
    case .borrowed: "borrowed"
    }
  }
}
