import Licensing
import Postgres
import Testing

@testable import Store

/// What admins do with seats, and what the guards refuse even to psql.
@Suite struct SeatAdministrationTests {
  @Test func `assigning makes a lease permanent without losing it`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      let lease = try #require(try await office.claim(0).seat)
      guard case .assigned(let seat) = try await office.assign(0) else {
        throw StorageError.fault("not assigned")
      }
      #expect(seat.kind == .assigned && seat.generation == lease.generation && seat.revision > lease.revision)
      #expect(seat.expiresAt == nil && seat.features == lease.features)
      #expect(try await office.assign(0).word == "already")
      #expect(try await office.assign(1).word == "no-seat-available")
      #expect(try await office.claim(0).seat?.revision == seat.revision)
      #expect(try await office.decide(0, .renew(generation: lease.generation)).word == "renewed")
    }
  }

  @Test func `assigning reclaims what has expired, and moves a seat between licenses`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      _ = try await office.claim(0)
      try await office.expire(0)
      #expect(try await office.assign(1).word == "assigned")
      let other = try await office.addLicense(seats: 1, model: .named)
      #expect(try await office.assign(1, of: other).word == "assigned")
      #expect(try await office.usage().held == 0)
      #expect(try await office.usage(of: other).held == 1)
      #expect(try await office.claim(1).seat?.license == other.record.id)
      try await office.change(other) { $0.terms.expiresAt = Instant(seconds: 1) }
      #expect(try await office.assign(2, of: other).word == "license-expired")
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `an assigned seat ends with its license, and comes back with it`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 3) { $0.maxBorrowSeconds = 1000 }
      for person in 0..<3 { _ = try await office.assign(person) }
      _ = try await office.borrow(2, seconds: 500)
      #expect(try await office.usage() == LicenseUsage(held: 3, reserved: 0, limit: 3))
      let now = try await store.units.read { try await $0.now() }
      try await office.change { $0.terms.expiresAt = now.adding(seconds: -1) }
      // What is lent may still be worked with.
      #expect(try await office.usage() == LicenseUsage(held: 1, reserved: 0, limit: 3, dormant: 2))
      #expect(try await office.held(by: 0) == nil)
      #expect(try await office.claim(0).word == "license-expired")
      #expect(try await office.claim(3).word == "license-expired", "none of its seats is free for others")
      try await store.run("UPDATE seat SET lent_until = now() - interval '1 s' WHERE lent_until IS NOT NULL")
      #expect(try await office.usage() == LicenseUsage(held: 0, reserved: 0, limit: 3, dormant: 3))
      let held = try await store.units.read { try await $0.seatsHeld(by: office.organization.record.key) }
      #expect(held == 0, "nobody loses a seat with the organization")
      #expect(try await office.faults() == nil)
      try await office.change { $0.terms.expiresAt = nil }
      #expect(try await office.usage() == LicenseUsage(held: 3, reserved: 0, limit: 3))
      #expect(try await office.held(by: 0)?.kind == .assigned)
      #expect(try await office.claim(3).word == "no-seat-available")
    }
  }

  @Test func `who holds a seat, page by page`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 5, people: 5)
      _ = try await office.decide((0..<4).map { ($0, .claim) })
      _ = try await office.assign(4)
      try await office.expire(1)
      var names: [String] = []
      var after: Int64 = 0
      while true {
        let page = try await store.units.read { [after] in
          try await $0.seats(
            of: office.license.record.key, organization: office.organization.record.key,
            PageRequest(limit: 2, after: after))
        }
        names += page.elements.map(\.identity.description)
        #expect(page.elements.allSatisfy { ($0.lastSeenAt == nil) == ($0.seat.kind == .assigned) })
        guard let next = page.next else { break }
        after = next
      }
      #expect(names == ["person-0", "person-2", "person-3", "person-4"])
      let mine = try await store.seats.seats(
        of: office.people[4].record.key, organization: office.organization.record.key)
      #expect(mine.map(\.product.description) == ["studio"])
      #expect(mine.first?.seat.kind == .assigned)
    }
  }

  @Test func `fewer seats than are held drain, and nobody new gets one before`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 3)
      _ = try await office.decide([(0, .claim), (1, .claim), (2, .claim)])
      try await office.change { $0.terms.seats = 1 }
      #expect(try await office.usage() == LicenseUsage(held: 3, reserved: 0, limit: 1))
      #expect(try await office.claim(0).word == "renewed")
      _ = try await office.decide(0, .release)
      #expect(try await office.claim(3).word == "no-seat-available")
      _ = try await office.decide([(1, .release), (2, .release)])
      #expect(try await office.claim(3).word == "granted")
    }
  }

  @Test func `a change of terms is seen in the seat's revision`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      let before = try #require(try await office.claim(0).seat)
      try await office.change { $0.terms.features = ["tier": .text("max")] }
      let after = try #require(try await office.claim(0).seat)
      #expect(after.revision > before.revision && after.generation == before.generation)
      #expect(after.features["tier"] == .text("max"))
      #expect(try await office.held(by: 0)?.revision == after.revision)
    }
  }

  @Test func `a license that goes takes its seats along`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      _ = try await office.claim(0)
      _ = try await office.assign(1)
      try await office.change { $0.status = .deleted }
      #expect(try await store.ask("SELECT count(*) FROM seat") == "0")
      #expect(try await store.ask("SELECT count(*) FROM event WHERE type = 'seat.freed'") == "2")
      #expect(try await office.claim(0).word == "license-required")
    }
  }

  static let seat =
    "organization_id, product_id, identity_id, license_id, generation, revision, granted_at, expires_at, reclaim_at"

  @Test(arguments: [
    ("INSERT INTO seat (\(seat)) VALUES (1, 1, 99, 1, 99, 99, now(), now(), now())", "no seat left"),
    ("INSERT INTO seat (\(seat)) VALUES (1, 1, 99, 77, 99, 99, now(), now(), now())", "no license"),
    ("UPDATE license_counter SET in_use = 0", "move in_use"),
    ("UPDATE license_counter SET generation = 0", "only grow"),
    ("UPDATE license_counter SET last_at = 'epoch'", "only grow"),
    ("DELETE FROM license_counter", "start again"),
    ("TRUNCATE license_counter CASCADE", "start again"),
    ("TRUNCATE seat", "not truncated"),
    ("UPDATE seat SET license_id = license_id + 1", "cannot move"),
    ("UPDATE seat SET generation = 0", "only grow"),
    ("UPDATE seat SET kind = 2", "violates check constraint"),
    ("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT seat_lock(1, 1)", "READ COMMITTED only"),
  ])
  func `the database refuses what would break the count`(sql: String, complaint: String) async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      _ = try await office.claim(0)
      let error = await #expect(throws: (any Error).self) { try await store.run(sql) }
      #expect("\(error.map { "\($0)" } ?? "")".contains(complaint))
      #expect(try await office.faults() == nil)
    }
  }

  @Test func `whoever deletes seats moves the counter`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 2)
      _ = try await office.decide([(0, .claim), (1, .claim)])
      try await store.run("DELETE FROM seat")
      #expect(try await office.faults() == nil)
      #expect(try await office.decide([(2, .claim), (3, .claim)]).map(\.word) == ["granted", "granted"])
    }
  }

  @Test func `a seat written by hand under a batch refuses it, and the next try is right`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      let seat = try #require(try await office.claim(0).seat)
      try await store.client.session { session in
        try await session.simple("BEGIN; UPDATE seat SET last_seen_at = now(), reclaim_at = now()")
        async let refused = #expect(throws: StorageError.self) {
          try await office.decide(0, .renew(generation: seat.generation))
        }
        let waiting = """
          SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
          """
        while try await store.ask(waiting) == "0" {}
        try await session.simple("UPDATE seat SET reclaim_at = expires_at; COMMIT")
        guard case .unavailable = await refused else { throw StorageError.fault("not refused") }
      }
      #expect(try await office.decide(0, .renew(generation: seat.generation)).word == "renewed")
      #expect(try await office.faults() == nil)
    }
  }
}
