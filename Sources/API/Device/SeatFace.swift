import Directory
import HTTP
import JSON
import Licensing

/// What of a seat's representation stays the same until it is renewed: written once, and kept with it.
///
/// Whose seat it is and of which product is part of what it is; codes, slugs and names never change.
final class SeatFace: Sendable {
  let headers: PreparedHeaders
  /// The members before `expiresAt`.
  let first: JSONWriter.Fragment
  /// The end, and where `validUntil` does not move with the time, that and the name `validIn`.
  let end: JSONWriter.Fragment
  let hasFixedEnd: Bool
  /// The name `renewIn`: every seat's.
  static let renewal = JSONWriter.fragment { $0.name("renewIn") }
  /// From its value on.
  let last: JSONWriter.Fragment

  private static let everySeatsHeaders = PreparedHeaders(
    HeaderField(.contentType, "application/json"), HeaderField(.cacheControl, "no-store"))

  /// Room for the whole.
  var capacity: Int { first.count + end.count + last.count + 160 }

  /// How the seat looks. What the one before it shows in the same way is taken over, and the seat itself not kept alive.
  static func of(
    _ held: HeldSeat, after previous: HeldSeat? = nil, product: ProductCode, device: DeviceCaller
  ) -> SeatFace {
    held.derived {
      if let previous, held.seat.shows(lastingOf: previous.seat),
        let face = previous.derived(as: SeatFace.self)
      {
        return SeatFace(held.seat, after: face)
      }
      return SeatFace(held.seat, product: product, device: device)
    }
  }

  /// What is written here but for the end is compared by `Seat.shows(lastingOf:)`.
  private init(_ seat: Seat, product: ProductCode, device: DeviceCaller) {
    headers = PreparedHeaders(
      HeaderField(.etag, "\"\(seat.generation)\""), before: SeatFace.everySeatsHeaders)
    first = JSONWriter.fragment(capacity: 320) { writer in
      writer.member("product", product.description)
      writer.member("license", seat.license)
      writer.member("organization", device.slug.description)
      writer.member("identity", device.name.description)
      writer.member("kind", seat.kind.name)
      writer.member("generation", seat.generation)
      writer.member("revision", seat.revision)
      writer.member("grantedAt", seat.grantedAt)
    }
    (end, hasFixedEnd) = (SeatFace.end(of: seat), seat.expiresAt != nil)
    last = JSONWriter.fragment(capacity: 112 + seat.config.json.count) { writer in
      writer.member("graceSeconds", Int64(seat.graceSeconds))
      writer.member("overdraft", seat.overdraft)
      writer.member("features", seat.features)
      writer.member("config", json: seat.config.json)
      writer.member("borrowedUntil", seat.borrowedUntil)
    }
  }

  /// The same but for the end.
  private init(_ seat: Seat, after earlier: SeatFace) {
    (headers, first, last) = (earlier.headers, earlier.first, earlier.last)
    (end, hasFixedEnd) = (SeatFace.end(of: seat), seat.expiresAt != nil)
  }

  private static func end(of seat: Seat) -> JSONWriter.Fragment {
    JSONWriter.fragment(capacity: 96) { writer in
      writer.member("expiresAt", seat.expiresAt)
      if seat.expiresAt != nil {
        writer.member("validUntil", seat.validUntil)
        writer.name("validIn")
      }
    }
  }
}

extension Seat {
  /// Whether everything that lasts is written as `other`'s is.
  func shows(lastingOf other: Seat) -> Bool {
    generation == other.generation && revision == other.revision && license == other.license
      && kind == other.kind && grantedAt == other.grantedAt && graceSeconds == other.graceSeconds
      && overdraft == other.overdraft && borrowedUntil == other.borrowedUntil && config == other.config
      && features.areWritten(as: other.features)
  }
}

extension Features {
  // Equal is not enough: texts are equal by what they mean, however they are composed, and so is 0 to -0.
  fileprivate func areWritten(as others: Features) -> Bool {
    count == others.count
      && allSatisfy { name, value in
        guard let index = others.index(forKey: name) else { return false }
        return name.isWritten(as: others[index].key) && value.isWritten(as: others[index].value)
      }
  }
}

extension FeatureValue {
  fileprivate func isWritten(as other: FeatureValue) -> Bool {
    switch (self, other) {
    case (.flag(let one), .flag(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.number(let one), .number(let other)): one.bitPattern == other.bitPattern
    case (.text(let one), .text(let other)): one.isWritten(as: other)
    case (.flag, _), (.integer, _), (.number, _), (.text, _): false
    }
  }
}

extension String {
  fileprivate func isWritten(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
