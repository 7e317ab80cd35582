import Licensing
import Testing

@testable import Store

/// Seats kept for someone: by the document of reservations, or until a cool-down is over.
@Suite struct SeatReservationTests {
  @Test func `a reserved seat is nobody else's, and not held`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 2)
      #expect(try await office.reserve([0]) == .reserved)
      #expect(try await office.usage() == LicenseUsage(held: 0, reserved: 1, limit: 2))
      #expect(
        try await office.decide([(1, .claim), (2, .claim), (0, .claim)]).map(\.word)
          == ["granted", "no-seat-available", "granted"])
      #expect(try await office.usage() == LicenseUsage(held: 2, reserved: 0, limit: 2))
      _ = try await office.decide(0, .release)
      #expect(try await office.usage() == LicenseUsage(held: 1, reserved: 1, limit: 2))
      #expect(try await office.claim(2).word == "no-seat-available")
      #expect(try await office.reserve([]) == .reserved)
      #expect(try await office.claim(2).word == "granted")
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `swept or not, an expired seat is free for whom it is reserved and for nobody else`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      #expect(try await office.reserve([0]) == .reserved)
      _ = try await office.claim(0)
      try await office.expire(0)
      #expect(try await office.usage() == LicenseUsage(held: 0, reserved: 1, limit: 1))
      #expect(try await office.claim(1).word == "no-seat-available")
      #expect(try await office.usage() == LicenseUsage(held: 0, reserved: 1, limit: 1))
      #expect(try await office.claim(0).word == "granted")
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `there is no reservation without a seat for it`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 2) { $0.overdraft = 2 }
      _ = try await office.claim(0)
      #expect(try await office.reserve([1, 2]) == .full)
      #expect(try await office.reserve([0, 1]) == .reserved)
      #expect(try await office.reserve([0, 2]) == .reserved)
      #expect(try await office.reserve([0, 1, 2]) == .full)
      #expect(try await office.usage() == LicenseUsage(held: 1, reserved: 1, limit: 4))
      // What is kept is plain; whoever comes besides gets the overdraft.
      #expect(try await office.claim(1).seat?.overdraft == true)
      #expect(try await office.claim(2).seat?.overdraft == false)
      #expect(try await office.faults() == nil)
      let stranger = try #require(IdentityName("nobody"))
      let outcome = try await store.units.transact {
        try await $0.reserve(Reservations([office.people[0].name, stranger]), of: office.license)
      }
      #expect(outcome == .unknown([stranger]))
    }
  }

  @Test func `a smaller license keeps its reservations only by draining, and what is above is told`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 3)
      #expect(try await office.reserve([0, 1]) == .reserved)
      _ = try await office.claim(2)
      let license = try #require(
        try await store.units.read {
          try await $0.license(
            office.license.record.id, of: office.organization.record.key, locked: false)
        })
      #expect(license.strandsHolders(under: LicenseTerms(seats: 2), at: Instant(seconds: 0)))
      try await office.change { $0.terms.seats = 2 }
      #expect(try await office.usage() == LicenseUsage(held: 1, reserved: 2, limit: 2))
      #expect(try await office.usage().excess == 1)
      #expect(
        try await office.decide([(0, .claim), (1, .claim)]).map(\.word) == ["granted", "no-seat-available"])
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `a reservation says which license, before the one that ends first`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      let ending = try await office.addLicense(seats: 1) { $0.expiresAt = SeatRefusalTests.farAway }
      #expect(try await office.reserve([0]) == .reserved)
      #expect(try await office.claim(0).seat?.license == office.license.record.id)
      #expect(try await office.claim(1).seat?.license == ending.record.id)
    }
  }

  @Test func `a seat that was assigned waits for who had it until the cool-down is over`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1, model: .named) { $0.reassignSeconds = 600 }
      _ = try await office.assign(0)
      #expect(try await office.free(0) == .freed)
      #expect(try await office.usage() == LicenseUsage(held: 0, reserved: 1, limit: 1))
      #expect(try await office.assign(1).word == "no-seat-available")
      #expect(try await office.assign(0).word == "assigned")
      #expect(try await office.free(0) == .freed)
      #expect(try await office.reserve([]) == .reserved)
      #expect(try await office.assign(1).word == "no-seat-available")
      try await store.run("UPDATE reservation SET until = now() - interval '1 s'")
      #expect(try await office.usage() == LicenseUsage(held: 0, reserved: 0, limit: 1))
      #expect(try await office.assign(1).word == "assigned")
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `the guards know reservations too`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      #expect(try await office.reserve([0]) == .reserved)
      for (sql, complaint) in [
        ("UPDATE license_counter SET reserved = 0", "move in_use"),
        ("INSERT INTO reservation VALUES (1, 1, 99, 1, NULL)", "no seat left"),
        ("INSERT INTO reservation VALUES (1, 1, 99, 77, NULL)", "no license"),
        ("TRUNCATE reservation", "not truncated"),
      ] {
        let error = await #expect(throws: (any Error).self) { try await store.run(sql) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(complaint), "\(sql)")
      }
      try await store.run("DELETE FROM reservation")
      #expect(try await office.faults() == nil)
      #expect(try await office.claim(1).word == "granted")
    }
  }
}
