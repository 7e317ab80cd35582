import Directory
import HTTP
import JSON
import Licensing
import Reactor

extension Response {
  /// A Seat (api.md, "Device API"), its times as of now.
  init(seat held: HeldSeat, _ status: Int, product: ProductCode, device: DeviceCaller) {
    self.init(seat: held, SeatFace.of(held, product: product, device: device), status)
  }

  /// The same where it is known how the seat looks.
  init(seat held: HeldSeat, _ face: SeatFace, _ status: Int) {
    var writer = JSONWriter(capacity: face.capacity)
    writer.object { $0.seatMembers(face, held.validity(at: .now)) }
    self.init(status, prepared: face.headers, body: writer.bytes)
  }
}

/// What of a seat's representation stays the same for as long as it is held: written once, and kept with it.
///
/// Whose seat it is and of which product is part of what it is; codes, slugs and names never change.
final class SeatFace: Sendable {
  let headers: PreparedHeaders
  /// The members before `validUntil`, and where that does not move with the time, all to the name `validIn`.
  let first: JSONWriter.Fragment
  let hasFixedEnd: Bool
  /// The name `renewIn`: every seat's.
  static let renewal = JSONWriter.fragment { $0.name("renewIn") }
  /// From its value on.
  let last: JSONWriter.Fragment

  /// Room for the whole.
  var capacity: Int { first.count + last.count + 160 }

  static func of(_ held: HeldSeat, product: ProductCode, device: DeviceCaller) -> SeatFace {
    held.derived { SeatFace(held.seat, product: product, device: device) }
  }

  private init(_ seat: Seat, product: ProductCode, device: DeviceCaller) {
    let hasFixedEnd = seat.expiresAt != nil
    self.hasFixedEnd = hasFixedEnd
    headers = PreparedHeaders(
      HeaderField(.etag, "\"\(seat.generation)\""), HeaderField(.contentType, "application/json"),
      HeaderField(.cacheControl, "no-store"))
    first = JSONWriter.fragment { writer in
      writer.member("product", product.description)
      writer.member("license", seat.license)
      writer.member("organization", device.slug.description)
      writer.member("identity", device.name.description)
      writer.member("kind", seat.kind.name)
      writer.member("generation", seat.generation)
      writer.member("revision", seat.revision)
      writer.member("grantedAt", seat.grantedAt)
      writer.member("expiresAt", seat.expiresAt)
      if hasFixedEnd {
        writer.member("validUntil", seat.validUntil)
        writer.name("validIn")
      }
    }
    last = JSONWriter.fragment { writer in
      writer.member("graceSeconds", Int64(seat.graceSeconds))
      writer.member("overdraft", seat.overdraft)
      writer.member("features", seat.features)
      writer.member("config", json: seat.config.json)
      writer.member("borrowedUntil", seat.borrowedUntil)
    }
  }
}

extension JSONWriter {
  mutating func seatMembers(_ face: SeatFace, _ validity: Validity) {
    fragment(face.first)
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
