import Directory
import Licensing
import Reactor
import Testing

struct HeldSeatsTests {
  private let identity = Key<Identity>(7)
  private let product = Key<Product>(3)
  private let organization = Key<Organization>(2)

  private func seat(generation: Int64 = 1, expiresIn seconds: Int64? = 600, statedAt: Int64 = 1_000) -> Seat {
    Seat(
      license: Identifier(high: 1, low: 2), licenseKey: Key(1), kind: seconds == nil ? .assigned : .lease,
      generation: generation, revision: 1, grantedAt: Instant(seconds: statedAt),
      expiresAt: seconds.map { Instant(seconds: statedAt + $0) }, leaseSeconds: 600, graceSeconds: 0,
      overdraft: false,
      features: [:], licenseEndsAt: nil, statedAt: Instant(seconds: statedAt))
  }

  @Test func `a seat is found until it expires by the database's clock`() {
    let held = HeldSeats()
    let asked = MonotonicInstant.now
    held.keep(
      HeldSeat(seat: seat(), askedAt: asked), of: identity, organization: organization, product: product)
    #expect(held.seat(of: identity, product: product, at: asked.advanced(by: .seconds(599))) != nil)
    #expect(held.seat(of: identity, product: product, at: asked.advanced(by: .seconds(600))) == nil)
    #expect(held.seat(of: identity, product: product, at: asked) == nil, "what expired once is forgotten")
  }

  @Test func `an assigned seat does not expire`() {
    let held = HeldSeats()
    let asked = MonotonicInstant.now
    held.keep(
      HeldSeat(seat: seat(expiresIn: nil), askedAt: asked), of: identity, organization: organization,
      product: product)
    #expect(held.seat(of: identity, product: product, at: asked.advanced(by: .seconds(1_000_000))) != nil)
  }

  @Test func `a late answer does not bring back a seat that was lost meanwhile`() {
    let held = HeldSeats()
    let asked = MonotonicInstant.now
    held.drop(identity, organization: organization, product: product)
    held.keep(
      HeldSeat(seat: seat(), askedAt: asked), of: identity, organization: organization, product: product)
    #expect(held.seat(of: identity, product: product) == nil)
    held.keep(
      HeldSeat(seat: seat(), askedAt: .now), of: identity, organization: organization, product: product)
    #expect(held.seat(of: identity, product: product) != nil)
  }

  @Test(arguments: [
    (Change.license(Key(2), Key(3)), [true, false, false, false]),
    (.license(Key(9), Key(3)), [false, false, false, true]),
    (.organization(Key(2)), [true, true, true, false]),
    (.identity(Key(2), Key(7)), [true, true, false, false]),
    (.product(Key(3)), [true, false, false, true]),
    (.seatLost(Key(2), Key(3), Key(7)), [true, false, false, false]),
    (.authority(Key(2), authority: 7), [false, false, false, false]),
    (.certificate(Key(2), certificate: 7), [false, false, false, false]),
  ])
  func `a change of what a seat is made of drops it and no other`(_ change: Change, _ isDropped: [Bool]) {
    let held = HeldSeats()
    // Organization, identity, product.
    let seats: [(Int64, Int64, Int64)] = [(2, 7, 3), (2, 7, 4), (2, 23, 4), (9, 8, 3)]
    func keepAll(askedAt: MonotonicInstant) {
      for (organization, identity, product) in seats {
        held.keep(
          HeldSeat(seat: seat(), askedAt: askedAt), of: Key(identity), organization: Key(organization),
          product: Key(product))
      }
    }
    func missing() -> [Bool] { seats.map { held.seat(of: Key($0.1), product: Key($0.2)) == nil } }
    let before = MonotonicInstant.now
    keepAll(askedAt: before)
    held.heard(of: [change])
    #expect(missing() == isDropped)
    keepAll(askedAt: before)
    #expect(missing() == isDropped, "a late answer says what was before")
    keepAll(askedAt: .now)
    #expect(!missing().contains(true))
  }

  @Test func `an older generation never replaces a newer one`() {
    let held = HeldSeats()
    held.keep(
      HeldSeat(seat: seat(generation: 5), askedAt: .now), of: identity, organization: organization,
      product: product)
    held.keep(
      HeldSeat(seat: seat(generation: 4), askedAt: .now), of: identity, organization: organization,
      product: product)
    #expect(held.seat(of: identity, product: product)?.seat.generation == 5)
  }

  @Test func `memory stays within its bound`() {
    let held = HeldSeats(capacity: 64, shards: 1)
    for key in 0..<1_000 {
      held.keep(
        HeldSeat(seat: seat(), askedAt: .now), of: Key(Int64(key)), organization: organization,
        product: product)
    }
    let found = (0..<1_000).filter { held.seat(of: Key(Int64($0)), product: product) != nil }.count
    #expect((1...64).contains(found))
  }
}

struct FeedHealthTests {
  @Test(arguments: [
    (0, FeedHealth.Freshness.fresh), (999, .fresh), (1_000, .stale), (59_999, .stale), (60_000, .lost),
  ])
  func `memory is trusted less the longer nothing was heard`(_ age: Int, _ expected: FeedHealth.Freshness) {
    let health = FeedHealth(staleSeconds: 60)
    let start = MonotonicInstant(nanoseconds: 5_000_000_000)
    health.succeeded(begunAt: start)
    #expect(health.freshness(at: start.advanced(by: .milliseconds(age))) == expected)
  }

  @Test func `before the first poll nothing is trusted`() {
    #expect(FeedHealth(staleSeconds: 60).freshness() == .lost)
  }
  @Test func `after a failed poll nothing is fresh until one succeeds`() {
    let health = FeedHealth(staleSeconds: 60)
    health.succeeded(begunAt: .now)
    health.failed()
    #expect(health.freshness() == .stale)
    health.succeeded(begunAt: .now)
    #expect(health.freshness() == .fresh)
  }
}
