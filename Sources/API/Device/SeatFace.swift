import Directory
import HTTP
import JSON
import Licensing

/// What of a seat's representation stays the same until it is renewed: written once, and kept with it.
///
/// Whose seat it is and of which product is part of what it is; codes, slugs and names never change.
final class SeatFace: Sendable {
  let lasting: Lasting
  /// The end, and where `validUntil` does not move with the time, that and the name `validIn`.
  let end: JSONWriter.Fragment
  let hasFixedEnd: Bool
  /// The name `renewIn`: every seat's.
  static let renewal = JSONWriter.fragment { $0.name("renewIn") }

  /// Room for the whole.
  var capacity: Int { lasting.first.count + end.count + lasting.last.count + 160 }

  /// How the seat looks; what the one before it shows in the same way is not written again.
  static func of(
    _ held: HeldSeat, after previous: HeldSeat? = nil, product: ProductCode, device: DeviceCaller
  ) -> SeatFace {
    held.derived {
      SeatFace(
        held.seat,
        Lasting.of(previous, ifShownBy: held.seat)
          ?? Lasting(held.seat, product: product, device: device))
    }
  }

  private init(_ seat: Seat, _ lasting: Lasting) {
    let hasFixedEnd = seat.expiresAt != nil
    self.hasFixedEnd = hasFixedEnd
    self.lasting = lasting
    end = JSONWriter.fragment(capacity: 96) { writer in
      writer.member("expiresAt", seat.expiresAt)
      if hasFixedEnd {
        writer.member("validUntil", seat.validUntil)
        writer.name("validIn")
      }
    }
  }
}

extension SeatFace {
  /// What of it a renewal leaves as it is.
  ///
  /// What is written here is compared by `Seat.shows(lastingOf:)`.
  final class Lasting: Sendable {
    let headers: PreparedHeaders
    /// The members before `expiresAt`.
    let first: JSONWriter.Fragment
    /// From `graceSeconds` on.
    let last: JSONWriter.Fragment

    init(_ seat: Seat, product: ProductCode, device: DeviceCaller) {
      headers = PreparedHeaders(
        HeaderField(.etag, "\"\(seat.generation)\""), before: Lasting.everySeatsHeaders)
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
      last = JSONWriter.fragment(capacity: 112 + seat.config.json.count) { writer in
        writer.member("graceSeconds", Int64(seat.graceSeconds))
        writer.member("overdraft", seat.overdraft)
        writer.member("features", seat.features)
        writer.member("config", json: seat.config.json)
        writer.member("borrowedUntil", seat.borrowedUntil)
      }
    }

    private static let everySeatsHeaders = PreparedHeaders(
      HeaderField(.contentType, "application/json"), HeaderField(.cacheControl, "no-store"))

    /// The previous seat's, if it is known and says of `seat` what would be written. The seat itself is not kept alive.
    fileprivate static func of(_ previous: HeldSeat?, ifShownBy seat: Seat) -> Lasting? {
      guard let previous, seat.shows(lastingOf: previous.seat) else { return nil }
      return previous.derived(as: SeatFace.self)?.lasting
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
