import Licensing
import Testing

@testable import Store

/// What a request may demand, what it may ask without effect, and what its seat says.
@Suite struct SeatRuleTests {
  @Test func `an overdraft ends: nobody loses a seat, and nobody gets one of it`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1) {
        $0.overdraft = 2
        $0.overdraftUntil = SeatRefusalTests.farAway
      }
      #expect(
        try await office.decide([(0, .claim), (1, .claim)]).map { $0.seat?.overdraft } == [false, true])
      try await office.change { $0.terms.overdraftUntil = Instant(seconds: 1) }
      #expect(try await office.usage() == LicenseUsage(held: 2, reserved: 0, limit: 1))
      #expect(try await office.claim(1).word == "renewed")
      #expect(try await office.claim(2).word == "no-seat-available")
      _ = try await office.decide([(0, .release), (1, .release)])
      #expect(
        try await office.decide([(2, .claim), (3, .claim)]).map(\.word) == ["granted", "no-seat-available"])
    }
  }

  @Test func `a wish chooses among licenses, and a seat that is held is kept whatever is wished`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1) { $0.features = ["cad": .flag(false)] }
      let better = try await office.addLicense(seats: 1) { $0.features = ["cad": .integer(3)] }
      let cad = SeatWish(features: ["cad", "export"])
      func claim(_ person: Int, _ wish: SeatWish) async throws -> SeatOutcome {
        try await office.decide([(person, .claim)], wish: wish)[0]
      }
      #expect(try await claim(0, cad).seat?.license == better.record.id)
      let refusal = try #require(try await claim(1, cad).refusal)
      #expect(refusal.reason == .noSeatAvailable && refusal.seats == 1 && refusal.held == 1)
      #expect(
        Dictionary(uniqueKeysWithValues: refusal.candidates.map { ($0.license, $0.reason) })
          == [office.license.record.id: .licenseRequired, better.record.id: .noSeatAvailable])
      #expect(try await claim(1, SeatWish(features: ["none"])).word == "license-required")
      #expect(try await claim(1, SeatWish(license: better.record.id)).word == "no-seat-available")
      #expect(try await claim(1, SeatWish(license: office.organization.record.id)).word == "license-required")
      #expect(try await claim(1, SeatWish(license: office.license.record.id)).word == "granted")
      #expect(try await claim(1, cad).seat?.license == office.license.record.id)
    }
  }

  @Test func `in one batch each gets what it wishes`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 2)
      let special = try await office.addLicense(seats: 1) { $0.features = ["cad": .flag(true)] }
      let requests = [
        SeatRequest(identity: office.people[0].record.key, operation: .claim),
        SeatRequest(
          identity: office.people[1].record.key, operation: .claim, wish: SeatWish(features: ["cad"])),
        SeatRequest(identity: office.people[2].record.key, operation: .claim),
      ]
      let outcomes = try await store.seats.decide(
        requests, organization: office.organization.record.key, product: office.product.record.key)
      let plain = office.license.record.id
      #expect(outcomes.map { $0.seat?.license } == [plain, special.record.id, plain])
      #expect(Set(outcomes.compactMap { $0.seat?.generation }) == [1, 2, 3])
    }
  }

  @Test func `a preview says what would be, and nothing is`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1)
      func preview(_ person: Int) async throws -> SeatOutcome {
        try await store.seats.preview(
          SeatRequest(identity: office.people[person].record.key, operation: .claim),
          organization: office.organization.record.key, product: office.product.record.key)
      }
      #expect(try await preview(0).word == "granted")
      #expect(try await office.usage().held == 0)
      _ = try await office.claim(0)
      #expect(try await preview(0).word == "renewed")
      #expect(try await preview(1).word == "no-seat-available")
      #expect(try await store.ask("SELECT count(*) FROM denial_minute") == "0")
      #expect(try await store.ask("SELECT count(*) FROM event WHERE type LIKE 'seat.%'") == "1")
    }
  }

  @Test func `configuration is merged, and a change of any part of a seat moves its revision`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      var last = try #require(try await office.claim(0).seat)
      func expect(_ json: String, after owner: ConfigOwner, _ config: String) async throws {
        try await store.units.transact {
          try await $0.replaceConfig(of: owner, with: Config(json: Array(config.utf8)))
        }
        let seat = try #require(try await office.claim(0).seat)
        #expect(String(decoding: seat.config.json, as: UTF8.self) == json)
        #expect(seat.revision > last.revision && seat.generation == last.generation)
        let read = try #require(try await office.held(by: 0))
        #expect(read.revision == seat.revision && read.config == seat.config)
        last = seat
      }
      #expect(last.config == .empty)
      try await expect(
        #"{"a": 1, "b": 1}"#, after: .organization(office.organization.record.key), #"{"a":1,"b":1}"#)
      try await expect(#"{"a": 1, "b": 2, "c": 2}"#, after: .license(office.license), #"{"b":2,"c":2}"#)
      try await expect(#"{"a": 1, "b": 2, "c": [3]}"#, after: .identity(office.people[0]), #"{"c":[3]}"#)
      // A newcomer with a part of its own has it at once.
      try await store.units.transact {
        try await $0.replaceConfig(
          of: .identity(office.people[1]), with: Config(json: Array("{\"d\":4}".utf8)))
      }
      let newcomer = try #require(try await office.claim(1).seat)
      #expect(newcomer.config == (try await office.held(by: 1)?.config))
      #expect(newcomer.revision == (try await office.held(by: 1)?.revision))
      #expect(String(decoding: newcomer.config.json, as: UTF8.self) == #"{"a": 1, "b": 2, "c": 2, "d": 4}"#)
    }
  }

  @Test func `usage is exact to the minute, and a seat that ended unseen is taken out of the minutes since`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 5)
      _ = try await office.decide((0..<3).map { ($0, .claim) })
      // As if they had been claimed ten minutes ago, and one had run out five minutes ago.
      try await store.run(
        """
        UPDATE usage_minute SET minute = minute - interval '10 min';
        UPDATE seat SET granted_at = granted_at - interval '10 min', expires_at = now() - interval '5 min',
          reclaim_at = now() - interval '5 min' WHERE identity_id = \(office.people[0].record.key.rawValue);
        """)
      func minutes() async throws -> [[Int64]] {
        try await store.units.read { unit in
          let now = try await unit.now()
          return try await unit.usage(
            of: office.license, from: now.adding(seconds: -3600), to: now.adding(seconds: 60),
            PageRequest(limit: 100)
          ).elements.map { [$0.peak, $0.held, $0.grants] }
        }
      }
      let before = [[0, 0, 0], [3, 3, 3], [3, 2, 0]] as [[Int64]]
      #expect(try await minutes() == before, "while it has not been dropped")
      _ = try await office.claim(3)
      #expect(try await minutes() == before + [[3, 3, 1]], "when it has")
      for person in 0..<4 { _ = try await office.claim(person) }
      _ = try await office.decide(0, .release)
      let mark = try await store.units.read { try await $0.highWaterMark(of: office.license) }
      #expect(mark?.seats == 4)
    }
  }

  @Test func `usage knows when assigned seats ended with their license, freed or not`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 5)
      for person in 0..<3 { _ = try await office.assign(person) }
      // As if all had been assigned ten minutes ago, within a minute.
      try await store.run(
        """
        DELETE FROM usage_minute WHERE minute < (SELECT max(minute) FROM usage_minute);
        UPDATE usage_minute SET minute = minute - interval '10 min', grants = 3;
        """)
      let now = try await store.units.read { try await $0.now() }
      try await office.change { $0.terms.expiresAt = now.adding(seconds: -300) }
      func minutes() async throws -> [[Int64]] {
        try await store.units.read { unit in
          try await unit.usage(
            of: office.license, from: now.adding(seconds: -3600), to: now.adding(seconds: 60),
            PageRequest(limit: 100)
          ).elements.map { [$0.peak, $0.held, $0.grants] }
        }
      }
      let told = [[0, 0, 0], [3, 3, 3], [3, 0, 0]] as [[Int64]]
      #expect(try await minutes() == told)
      for person in 0..<3 { _ = try await office.free(person) }
      #expect(Array(try await minutes().prefix(3)) == told)
      #expect(try await minutes().dropFirst(3).allSatisfy { $0 == [0, 0, 0] })
    }
  }
}
