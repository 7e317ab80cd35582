import Issuance
import Licensing
import Testing

@testable import Store

/// Who is refused, in which words, and by which license when there are several.
@Suite struct SeatRefusalTests {
  static let farAway = Instant(seconds: 4_000_000_000)

  @Test func `an unknown product, and one that was licensed once`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      let other = try await Office(in: store, slug: "other")
      let stranger = SeatRequest(identity: office.people[0].record.key, operation: .claim)
      let (organization, nothing) = (office.organization.record.key, Key<Product>(4711))
      let outcomes = try await store.seats.decide([stranger], organization: organization, product: nothing)
      #expect(outcomes.map(\.word) == ["product-unknown"])
      let release = SeatRequest(identity: office.people[0].record.key, operation: .release)
      #expect(
        try await store.seats.decide([release], organization: organization, product: nothing).map(\.word)
          == ["released"])

      try await other.change { $0.status = .deleted }
      #expect(try await other.claim(0).word == "license-required")
      #expect(try await office.claim(0).word == "granted")
    }
  }

  @Test func `the identity before the organization, both before the seats`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      let seat = try #require(try await office.claim(0).seat)
      try await set(office.people[0], .suspended, in: store)
      #expect(try await office.decide(0, .renew(generation: seat.generation)).word == "identity-suspended")
      #expect(try await office.claim(0).word == "identity-suspended")
      #expect(try await office.claim(1).word == "no-seat-available")

      try await store.units.transact { unit in
        guard var organization = try await unit.organization(office.organization.slug, locked: true) else {
          return
        }
        organization.status = .suspended
        _ = try await unit.update(organization)
      }
      #expect(
        try await office.decide([(0, .claim), (1, .claim), (2, .release)]).map(\.word)
          == ["identity-suspended", "organization-suspended", "released"])
    }
  }

  private func set(_ identity: Identity, _ status: Identity.Status, in store: TestStore) async throws {
    try await store.units.transact { unit in
      var changed = identity
      changed.status = status
      _ = try await unit.update(changed)
    }
  }

  @Test func `a deleted identity leaves its seats, certificates and name behind`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      _ = try await office.assign(0)
      try await set(office.people[0], .deleted, in: store)
      #expect(try await office.claim(1).word == "granted")
      #expect(try await office.claim(0).word == "identity-suspended")
      #expect(try await store.ask("SELECT status FROM identity WHERE name = 'person-0'") == "3")
      let again = try await store.units.transact {
        try await $0.insert(
          NewIdentity(
            record: TestStore.newRecord(), organization: office.organization.record.key,
            name: IdentityName("person-0")!))
      }
      #expect(again.status == .active)
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `whoever is blocked waits, and an assignment lifts the block`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      _ = try await office.claim(0)
      #expect(try await office.free(0, blockSeconds: 60) == .freed)
      let blocked = try #require(try await office.claim(0).refusal)
      #expect(blocked.reason == .seatBlocked)
      #expect((59...60).contains(try #require(blocked.retryAfterSeconds)))
      #expect(try await office.free(1, blockSeconds: 60) == .nothingHeld)
      #expect(try await office.claim(1).word == "seat-blocked")
      #expect(try await office.assign(0).word == "assigned")
      #expect(try await office.claim(0).word == "renewed")
      try await store.run("UPDATE seat_loss SET blocked_until = now() - interval '1 s'")
      #expect(try await office.claim(1).word == "granted")
    }
  }

  @Test func `named seats: by hand, or by the first claim`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 2, model: .named)
      #expect(try await office.claim(0).word == "seat-not-assigned")
      #expect(try await office.assign(0).word == "assigned")
      let seat = try #require(try await office.claim(0).seat)
      #expect(seat.kind == .assigned && seat.expiresAt == nil)
      #expect(seat.validUntil == seat.statedAt.adding(seconds: 600))
      #expect(try await office.decide(0, .release).word == "released")
      #expect(try await office.claim(0).word == "renewed")

      try await office.change { $0.terms.assignment = .firstClaim }
      let outcomes = try await office.decide([(1, .claim), (2, .claim)])
      #expect(outcomes.map(\.word) == ["granted", "no-seat-available"])
      #expect(outcomes[0].seat?.kind == .assigned)
      #expect(outcomes[1].refusal?.retryAfterSeconds == nil)
      #expect(try await office.free(1) == .freed)
      #expect(try await office.claim(2).word == "granted")
    }
  }

  @Test func `a license out of force says why`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      let seat = try #require(try await office.claim(0).seat)
      try await office.change { $0.status = .suspended }
      #expect(
        try await office.decide([(0, .claim), (1, .claim)]).map(\.word)
          == ["license-suspended", "license-suspended"])
      #expect(try await office.decide(0, .renew(generation: seat.generation)).word == "license-suspended")
      #expect(try await office.held(by: 0) == nil)
      try await office.change {
        $0.status = .active
        $0.terms.startsAt = Self.farAway
      }
      #expect(try await office.claim(1).word == "license-not-started")
      // A refused request spends nothing: the lease is still there.
      try await office.change { $0.terms.startsAt = nil }
      #expect(
        try await office.decide([(0, .claim), (1, .claim)]).map(\.word) == ["renewed", "no-seat-available"])
    }
  }

  @Test func `of several refusals the first that applies, and all candidates`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1) { $0.expiresAt = Instant(seconds: 1) }
      let suspended = try await office.addLicense(seats: 1)
      try await office.change(suspended) { $0.status = .suspended }
      #expect(try await office.claim(0).word == "license-suspended")
      let named = try await office.addLicense(seats: 1, model: .named)
      #expect(try await office.claim(0).word == "seat-not-assigned")
      let full = try await office.addLicense(seats: 0)
      let refusal = try #require(try await office.claim(0).refusal)
      #expect(refusal.reason == .noSeatAvailable && refusal.seats == 0 && refusal.held == 0)
      let candidates = Dictionary(uniqueKeysWithValues: refusal.candidates.map { ($0.license, $0.reason) })
      #expect(
        candidates == [
          office.license.record.id: .licenseExpired, suspended.record.id: .licenseSuspended,
          named.record.id: .seatNotAssigned, full.record.id: .noSeatAvailable,
        ])
    }
  }

  @Test func `of several licenses the one that ends first, and nobody's overdraft before everyone's seats`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1, people: 6) { $0.overdraft = 1 }
      let ending = try await office.addLicense(seats: 1) {
        $0.expiresAt = Self.farAway
        $0.overdraft = 1
      }
      let outcomes = try await office.decide((0..<5).map { ($0, .claim) })
      let (unending, sooner) = (office.license.record.id, ending.record.id)
      #expect(outcomes.map { $0.seat?.license } == [sooner, unending, sooner, unending, nil])
      #expect(outcomes.map { $0.seat?.overdraft } == [false, false, true, true, nil])
      #expect(Set(outcomes.compactMap { $0.seat?.generation }).count == 4)
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `a lease moves off a license out of force, an assignment only off one that ended`() async throws
  {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 2)
      let leased = try #require(try await office.claim(0).seat)
      _ = try await office.assign(1)
      try await office.change { $0.status = .suspended }
      let spare = try await office.addLicense(seats: 2)
      let outcomes = try await office.decide([(0, .claim), (1, .claim)])
      #expect(outcomes.map(\.word) == ["granted", "license-suspended"])
      #expect(outcomes[0].seat?.license == spare.record.id)
      #expect(try #require(outcomes[0].seat).generation > leased.generation)

      try await office.change {
        $0.status = .active
        $0.terms.expiresAt = Instant(seconds: 1)
      }
      let moved = try await office.claim(1)
      #expect(moved.word == "granted" && moved.seat?.license == spare.record.id && moved.seat?.kind == .lease)
      #expect(try await office.usage().held == 0)
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `the first refusal of a minute is an event, the others are counted`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 0)
      for person in 0..<4 { _ = try await office.claim(person) }
      #expect(
        try await store.ask("SELECT sum(count) FROM denial_minute WHERE reason = 'no-seat-available'") == "4")
      let minutes = try await store.ask("SELECT count(*) FROM denial_minute")
      #expect(try await store.ask("SELECT count(*) FROM event WHERE type = 'seat.refused'") == minutes)
    }
  }
}
