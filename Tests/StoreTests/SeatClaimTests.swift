import Licensing
import Testing

@testable import Store

/// What one device after another gets, on one license.
@Suite struct SeatClaimTests {
  @Test(arguments: [0, 1, 2] as [Int32])
  func `exactly as many get a seat as there are`(seats: Int32) async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: seats, people: 3)
      var words: [String] = []
      for person in 0..<3 { words.append(try await office.claim(person).word) }
      let granted = Int(seats)
      #expect(
        words == Array(repeating: "granted", count: granted)
          + Array(repeating: "no-seat-available", count: 3 - granted))
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `a seat carries what its license and product say`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store) {
        $0.leaseSeconds = 90
        $0.graceSeconds = 30
        $0.features = ["tier": .text("max"), "cores": .integer(8), "ratio": .number(0.5)]
      }
      let seat = try #require(try await office.claim(0).seat)
      #expect(seat.license == office.license.record.id)
      #expect(seat.licenseKey == office.license.record.key)
      #expect(seat.kind == .lease)
      #expect(!seat.overdraft)
      #expect(seat.leaseSeconds == 90 && seat.graceSeconds == 30)
      #expect(
        seat.features == [
          "export": .flag(true), "tier": .text("max"), "cores": .integer(8), "ratio": .number(0.5),
        ])
      #expect(seat.grantedAt == seat.statedAt)
      #expect(seat.expiresAt == seat.statedAt.adding(seconds: 90))
      #expect(seat.licenseEndsAt == nil)
    }
  }

  @Test func `claiming again renews the same seat`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      let first = try #require(try await office.claim(0).seat)
      let again = try await office.claim(0)
      let renewed = try #require(again.seat)
      #expect(again.word == "renewed")
      #expect(renewed.generation == first.generation && renewed.revision == first.revision)
      #expect(renewed.grantedAt == first.grantedAt)
      #expect(try #require(renewed.expiresAt) > (try #require(first.expiresAt)))
      let read = try #require(try await office.held(by: 0))
      #expect(read.generation == first.generation && read.expiresAt == renewed.expiresAt)
      #expect(read.features == first.features)
      #expect(try await office.held(by: 1) == nil)
    }
  }

  @Test func `a full license says when to try again, and who refuses`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 2)
      _ = try await office.decide([(0, .claim), (1, .claim)])
      let refusal = try #require(try await office.claim(2).refusal)
      #expect(refusal.reason == .noSeatAvailable)
      #expect(refusal.seats == 2 && refusal.held == 2)
      #expect((595...600).contains(try #require(refusal.retryAfterSeconds)))
      #expect(refusal.candidates.map(\.license) == [office.license.record.id])
      #expect(refusal.candidates.map(\.reason) == [.noSeatAvailable])

      _ = try await office.assign(0)
      _ = try await office.assign(1)
      #expect(try await office.claim(2).refusal?.retryAfterSeconds == nil)
    }
  }

  @Test func `what is released serves a claim of the same batch`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      let first = try #require(try await office.claim(0).seat)
      let outcomes = try await office.decide([(1, .claim), (0, .release), (2, .release)])
      #expect(outcomes.map(\.word) == ["granted", "released", "released"])
      #expect(try #require(outcomes[0].seat).generation > first.generation)
      #expect(try await office.held(by: 0) == nil)
      #expect(try await office.decide(0, .release).word == "released")
      #expect(try await office.usage() == LicenseUsage(held: 1, reserved: 0, limit: 1))
    }
  }

  @Test func `an expired lease counts for nobody, and no sweeper is needed`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      let first = try #require(try await office.claim(0).seat)
      try await office.expire(0)
      #expect(try await office.usage().held == 0)
      #expect(try await office.held(by: 0) == nil)
      let second = try #require(try await office.claim(1).seat)
      #expect(second.generation > first.generation)
      let late = try await office.decide(0, .renew(generation: first.generation))
      #expect(late.word == "lease-lost")
      #expect(late.refusal?.loss == .expired)
      #expect(try await office.claim(0).word == "no-seat-available")

      try await office.expire(1)
      let own = try await office.claim(1)
      #expect(own.word == "granted")
      #expect(try #require(own.seat).generation > second.generation)
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `renewing only what is held says why it is gone`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      let seat = try #require(try await office.claim(0).seat)
      #expect(try await office.decide(0, .renew(generation: seat.generation)).word == "renewed")
      #expect(try await office.decide(0, .renew(generation: seat.generation + 1)).refusal?.loss == .expired)
      _ = try await office.decide(0, .release)
      #expect(try await office.decide(0, .renew(generation: seat.generation)).refusal?.loss == .released)

      let next = try #require(try await office.claim(0).seat)
      try await office.expire(0)
      #expect(try await office.decide(0, .renew(generation: next.generation)).refusal?.loss == .expired)
      #expect(try await office.claim(0).word == "granted")
      #expect(try await office.free(0) == .freed)
      #expect(
        try await office.decide(0, .renew(generation: next.generation + 1)).refusal?.loss == .released)
    }
  }

  @Test func `overdraft is granted after the seats, and says so`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1) { $0.overdraft = 1 }
      let outcomes = try await office.decide([(0, .claim), (1, .claim), (2, .claim)])
      #expect(outcomes.map { $0.seat?.overdraft } == [false, true, nil])
      #expect(outcomes[2].word == "no-seat-available")
      #expect(try await office.usage() == LicenseUsage(held: 2, reserved: 0, limit: 2))
    }
  }

  @Test func `a lease never outlives its license, and a shorter license ends it`() async throws {
    try await TestStore.withStore { store in
      let seconds = try #require(try await store.ask("SELECT extract(epoch FROM now())::bigint + 60"))
      let end = Instant(seconds: try #require(Int64(seconds)))
      let office = try await Office(in: store) { $0.expiresAt = end }
      let seat = try #require(try await office.claim(0).seat)
      #expect(seat.expiresAt == end && seat.licenseEndsAt == end)
      _ = try await office.assign(1)
      let assigned = try #require(try await office.claim(1).seat)
      #expect(assigned.kind == .assigned && assigned.expiresAt == end && assigned.licenseEndsAt == end)

      try await office.change { $0.terms.expiresAt = Instant(seconds: 1) }
      #expect(
        try await office.decide([(0, .claim), (1, .claim), (2, .claim)]).map(\.word)
          == ["license-expired", "license-expired", "license-expired"])
      #expect(try await office.held(by: 1) == nil)
      // Extended again, nothing was lost.
      try await office.change { $0.terms.expiresAt = nil }
      #expect(try await office.decide([(0, .claim), (1, .claim)]).map(\.word) == ["renewed", "renewed"])
    }
  }
}
