import Directory
import HTTP
import JSON
import Licensing
import Reactor

extension Response {
  /// A Seat (api.md, "Device API"), its times as of now; `previous` is what memory had of it before it was renewed.
  init(
    seat held: HeldSeat, after previous: HeldSeat? = nil, _ status: Int, product: ProductCode,
    device: DeviceCaller
  ) {
    let face = SeatFace.of(held, after: previous, product: product, device: device)
    self.init(seat: held, face, status)
  }

  /// The same where it is known how the seat looks.
  init(seat held: HeldSeat, _ face: SeatFace, _ status: Int) {
    var writer = JSONWriter(capacity: face.capacity)
    writer.object { $0.seatMembers(face, held.validity(at: .now)) }
    self.init(status, prepared: face.headers, body: writer.bytes)
  }
}

extension JSONWriter {
  mutating func seatMembers(_ face: SeatFace, _ validity: Validity) {
    fragment(face.first)
    fragment(face.end)
    if !face.hasFixedEnd {
      member("validUntil", validity.until)
      name("validIn")
    }
    value(validity.seconds)
    fragment(SeatFace.renewal)
    value(validity.renewIn)
    fragment(face.last)
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
