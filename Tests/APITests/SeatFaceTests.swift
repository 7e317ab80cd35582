import Directory
import HTTP
import JSON
import Licensing
import Reactor
import Testing

@testable import API

/// What a renewal's answer takes over from the seat before.
struct SeatFaceTests {
  private let product = ProductCode("studio")!

  /// A seat in all its parts, so that each can be another.
  struct Parts: Sendable {
    var license = Identifier(high: 1, low: 2)
    var kind = Seat.Kind.lease
    var generation: Int64 = 4
    var revision: Int64 = 2
    var grantedAt = Instant(seconds: 1_796_000_000)
    var expiresAt: Instant? = Instant(seconds: 1_796_000_600)
    var leaseSeconds: Int32 = 600
    var graceSeconds: Int32 = 30
    var overdraft = false
    var features: Features = [
      "pdf": .flag(true), "seats": .integer(3), "zoom": .number(0), "né": .text("né"),
    ]
    var config = Config(json: Array(#"{"a":1}"#.utf8))
    var borrowedUntil: Instant?
    var licenseEndsAt: Instant?
    var statedAt = Instant(seconds: 1_796_000_000)

    var seat: Seat {
      Seat(
        license: license, licenseKey: Key(1), kind: kind, generation: generation, revision: revision,
        grantedAt: grantedAt, expiresAt: expiresAt, leaseSeconds: leaseSeconds, graceSeconds: graceSeconds,
        overdraft: overdraft, features: features, config: config, borrowedUntil: borrowedUntil,
        licenseEndsAt: licenseEndsAt, statedAt: statedAt)
    }

    func changed(_ change: (inout Parts) -> Void) -> Parts {
      var parts = self
      change(&parts)
      return parts
    }
  }

  private func held(_ parts: Parts) -> HeldSeat { HeldSeat(seat: parts.seat, askedAt: .now) }

  private func face(_ held: HeldSeat, after previous: HeldSeat? = nil) -> SeatFace {
    SeatFace.of(held, after: previous, product: product, device: Peers.device)
  }

  /// The body with given times, and the headers; as bytes, because texts are equal however they are composed.
  private func shown(_ face: SeatFace) -> [[UInt8]] {
    var writer = JSONWriter()
    let validity = Validity(until: Instant(seconds: 1_796_000_555), seconds: 55, renewIn: 18)
    writer.object { $0.seatMembers(face, validity) }
    return [writer.bytes] + face.headers.fields.map { Array("\($0.name): \($0.value)".utf8) }
  }

  static let changes: [@Sendable (inout Parts) -> Void] = [
    { $0.license = Identifier(high: 1, low: 3) }, { $0.kind = .assigned }, { $0.kind = .borrowed },
    { $0.generation = 5 }, { $0.revision = 3 }, { $0.grantedAt = Instant(seconds: 1_796_000_001) },
    { $0.graceSeconds = 31 }, { $0.overdraft = true }, { $0.features = [:] },
    { $0.features["pdf"] = .flag(false) }, { $0.features["pdf"] = .integer(1) }, { $0.features["pdf"] = nil },
    { $0.features["more"] = .text("x") }, { $0.features["seats"] = .number(3) },
    { $0.features["seats"] = .integer(4) }, { $0.features["zoom"] = .number(-0.0) },
    { $0.features["né"] = .text("ne\u{301}") },
    {
      $0.features["né"] = nil
      $0.features["ne\u{301}"] = .text("né")
    },
    { $0.config = .empty }, { $0.config = Config(json: Array(#"{"a":2}"#.utf8)) },
    { $0.config = Config(json: Array(#"{"a": 1}"#.utf8)) },
    { $0.borrowedUntil = Instant(seconds: 1_796_000_600) },
  ]

  @Test(arguments: changes.indices)
  func `whatever changed with a renewal is shown`(_ index: Int) {
    let before = held(Parts())
    let first = face(before)
    let changed = Parts().changed(Self.changes[index])
    let after = held(changed)
    let renewed = face(after, after: before)
    #expect(renewed.headers !== first.headers)
    #expect(shown(renewed) == shown(face(held(changed))))
    #expect(shown(renewed) != shown(first))
    #expect(shown(face(held(Parts()), after: after)) == shown(first), "and back again")
  }

  @Test(arguments: changes.indices)
  func `whatever changed stays changed with the next renewals`(_ index: Int) {
    let changed = Parts().changed(Self.changes[index])
    let seats = [Parts(), changed, changed, Parts()].map(held)
    let faces = zip(seats, [nil] + seats.dropLast().map(Optional.some)).map { face($0, after: $1) }
    for (seat, parts) in zip(faces, [Parts(), changed, changed, Parts()]) {
      #expect(shown(seat) == shown(face(held(parts))))
    }
    #expect(faces[2].headers === faces[1].headers)
  }

  static let ends: [@Sendable (inout Parts) -> Void] = [
    { $0.expiresAt = Instant(seconds: 1_796_000_900) }, { $0.expiresAt = nil },
    { $0.licenseEndsAt = Instant(seconds: 1_796_000_333) }, { $0.leaseSeconds = 900 },
    { $0.statedAt = Instant(seconds: 1_796_000_300) }, { _ in },
  ]

  @Test(arguments: ends.indices, ends.indices)
  func `what ends later is written anew with what lasts of the seat before`(_ one: Int, _ other: Int) {
    let (before, after) = (Parts().changed(Self.ends[one]), Parts().changed(Self.ends[other]))
    let first = held(before)
    let headers = face(first).headers
    let renewed = face(held(after), after: first)
    #expect(renewed.headers === headers)
    #expect(shown(renewed) == shown(face(held(after))))
  }

  @Test func `a seat does not keep the one before it`() {
    var before: HeldSeat? = held(Parts())
    weak let gone = before
    weak let face = before.map { self.face($0) }
    let renewed = held(Parts())
    let headers = self.face(renewed, after: before).headers
    #expect(face?.headers === headers)
    before = nil
    #expect(gone == nil && face == nil)
    #expect(self.face(renewed).headers === headers)
  }

  @Test func `of a seat that nobody was shown nothing is taken over`() {
    let before = held(Parts())
    #expect(shown(face(held(Parts()), after: before)) == shown(face(held(Parts()))))
    #expect(before.derived(as: SeatFace.self) == nil)
  }
}
