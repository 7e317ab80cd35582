import Licensing
import Testing

@testable import Store

/// Seats that are taken away from the network.
@Suite struct SeatLoanTests {
  static func lends(_ terms: inout LicenseTerms) { terms.maxBorrowSeconds = 86_400 }

  @Test func `a seat that is held or free is lent, and counts until then`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 2, change: Self.lends)
      let lease = try #require(try await office.claim(0).seat)
      let held = try await office.borrow(0, seconds: 3600)
      let loan = try #require(held.seat)
      #expect(held.word == "renewed" && loan.kind == .borrowed && loan.generation == lease.generation)
      #expect(loan.revision > lease.revision && loan.expiresAt == loan.borrowedUntil)
      #expect((3599...3600).contains(loan.borrowedUntil!.microseconds(since: loan.statedAt) / 1_000_000))
      let new = try await office.borrow(1, seconds: 60)
      #expect(new.word == "granted" && new.seat?.kind == .borrowed)
      // What was promised for a time is not shortened, and a renewal changes nothing of it.
      #expect(try await office.borrow(0, seconds: 10).seat?.borrowedUntil == loan.borrowedUntil)
      #expect(try await office.claim(0).seat?.borrowedUntil == loan.borrowedUntil)
      #expect(try await office.held(by: 0)?.kind == .borrowed)
      #expect(try await office.claim(2).word == "no-seat-available")
      #expect(try await office.decide(0, .release).word == "released")
      #expect(try await office.claim(2).word == "granted")
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `a license lends for so long, so many, and not past its end`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 3) {
        $0.maxBorrowSeconds = 100
        $0.unborrowableSeats = 2
      }
      for seconds in [-1, 101] as [Int64] {
        let refusal = try #require(try await office.borrow(0, seconds: seconds).refusal)
        #expect(refusal.reason == .borrowOutOfRange)
        #expect(refusal.candidates.map(\.reason) == [.borrowOutOfRange])
      }
      #expect(try await office.borrow(0, seconds: 90).word == "granted")
      #expect(try await office.borrow(1, seconds: 90).word == "no-seat-available")
      #expect(try await office.claim(1).word == "granted")
      #expect(try await office.borrow(1, seconds: 90).word == "no-seat-available")
      #expect(try await office.borrow(0, seconds: 95).word == "renewed")
      try await office.change { $0.terms.maxBorrowSeconds = 0 }
      #expect(try await office.borrow(1, seconds: 1).word == "borrow-not-permitted")
      #expect(try await office.claim(0).seat?.kind == .borrowed)
    }
  }

  @Test func `an assigned seat is lent and returned, and stays assigned`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1, model: .named, change: Self.lends)
      #expect(try await office.borrow(0, seconds: 60).word == "seat-not-assigned")
      _ = try await office.assign(0)
      let loan = try #require(try await office.borrow(0, seconds: 3600).seat)
      #expect(loan.kind == .borrowed && loan.expiresAt == nil && loan.validUntil == loan.borrowedUntil)
      #expect(try await office.decide(0, .release).word == "released")
      let seat = try #require(try await office.claim(0).seat)
      #expect(seat.kind == .assigned && seat.borrowedUntil == nil && seat.revision > loan.revision)
      #expect(
        try await store.ask("SELECT string_agg(type, ' ' ORDER BY id) FROM event WHERE type LIKE 'seat.%'")
          == "seat.refused seat.assigned seat.borrowed seat.returned")
    }
  }

  @Test func `nobody takes a lent seat back, and one that is forced counts until it would have come back`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1, change: Self.lends)
      let loan = try #require(try await office.borrow(0, seconds: 3600).seat)
      let until = try #require(loan.borrowedUntil)
      #expect(try await office.free(0) == .borrowed(until: until))
      #expect(try await office.claim(0).word == "renewed")
      #expect(try await office.free(0, isForced: true) == .freed)
      #expect(try await office.usage() == LicenseUsage(held: 1, reserved: 0, limit: 1))
      #expect(try await office.held(by: 0) == nil)
      #expect(try await office.claim(1).word == "no-seat-available")
      let blocked = try #require(try await office.claim(0).refusal)
      #expect(blocked.reason == .seatBlocked && (3590...3600).contains(blocked.retryAfterSeconds ?? 0))
      let lost = try #require(try await office.decide(0, .renew(generation: loan.generation)).refusal)
      #expect(lost.loss == .released)
      #expect(try await office.free(0, isForced: true) == .nothingHeld)
      let page = try await store.units.read {
        try await $0.seats(
          of: office.license.record.key, organization: office.organization.record.key, PageRequest(limit: 5))
      }
      #expect(page.elements.map(\.isAtRisk) == [true])
      // Whoever has the key can end it all the same.
      #expect(try await office.decide(0, .release).word == "released")
      #expect(try await office.claim(1).word == "granted")
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `a deleted identity's loan is at risk, and is over when it is over`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1, change: Self.lends)
      _ = try await office.borrow(0, seconds: 3600)
      try await store.units.transact { unit in
        var gone = office.people[0]
        gone.status = .deleted
        _ = try await unit.update(gone)
      }
      #expect(try await office.claim(1).word == "no-seat-available")
      try await office.expire(0)
      #expect(try await office.claim(1).word == "granted")
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `an assignment does not call back what is lent elsewhere`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1, change: Self.lends)
      let other = try await office.addLicense(seats: 1)
      _ = try await office.borrow(0, seconds: 3600)
      #expect(try await office.assign(0, of: other).word == "seat-borrowed")
      #expect(try await office.assign(0).word == "assigned")
      #expect(try await office.held(by: 0)?.kind == .borrowed)
    }
  }
}
