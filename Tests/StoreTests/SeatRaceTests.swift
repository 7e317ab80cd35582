import Licensing
import Testing

@testable import Store

/// Many at once, on connections of their own, with nothing between them but the database.
@Suite struct SeatRaceTests {
  @Test(arguments: [(0, 0), (1, 0), (2, 0), (37, 0), (5, 3)] as [(Int32, Int32)])
  func `of 200 claims at once exactly as many succeed as there are seats`(
    seats: Int32, overdraft: Int32
  ) async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: seats, people: 200) { $0.overdraft = overdraft }
      let outcomes = try await atOnce(200) { try await office.claim($0) }
      let seatsGranted = outcomes.compactMap(\.seat)
      #expect(seatsGranted.count == Int(seats + overdraft))
      #expect(seatsGranted.count { $0.overdraft } == Int(overdraft))
      #expect(Set(seatsGranted.map(\.generation)).count == seatsGranted.count)
      let refusals = outcomes.compactMap { $0.refusal?.reason }
      #expect(refusals.allSatisfy { $0 == .noSeatAvailable })
      #expect(try await office.faults() == nil)
    }
  }

  private func atOnce<Result: Sendable>(
    _ count: Int, _ work: @escaping @Sendable (Int) async throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: Result.self) { group in
      for index in 0..<count { group.addTask { try await work(index) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test func `the last seat goes to an assignment or to a claim, never to both`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1, people: 2)
      for _ in 0..<40 {
        async let assigned = office.assign(0).word
        async let claimed = office.claim(1).word
        let words = try await [assigned, claimed]
        #expect(words == ["assigned", "no-seat-available"] || words == ["no-seat-available", "granted"])
        #expect(try await office.faults() == nil)
        _ = try await office.free(0)
        _ = try await office.free(1)
      }
    }
  }

  @Test
  func `the last seat goes to one of an assignment, a claim, a loan and a reservation`()
    async throws
  {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1, people: 4) { $0.maxBorrowSeconds = 3600 }
      for _ in 0..<15 {
        try await office.change { $0.status = .suspended }
        async let returned: Void = office.change { $0.status = .active }
        async let assigned = office.assign(0).word == "assigned"
        async let claimed = office.claim(1).word == "granted"
        async let borrowed = office.borrow(2, seconds: 60).word == "granted"
        async let reserved = office.reserve([3]) == .reserved
        let winners = try await [assigned, claimed, borrowed, reserved].count { $0 }
        try await returned
        #expect(winners == 1)
        let usage = try await office.usage()
        #expect(usage.held + usage.reserved == 1 && usage.available == 0)
        #expect(try await office.faults() == nil)
        #expect(try await office.reserve([]) == .reserved)
        for person in 0..<3 { _ = try await office.decide(person, .release) }
        _ = try await office.free(0)
      }
    }
  }

  @Test func `claims against a shrinking license never pass its limit`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 10, people: 40)
      async let shrunk: Void = office.change { $0.terms.seats = 3 }
      let granted = try await atOnce(40) { try await office.claim($0).seat }.compactMap { $0 }.count
      try await shrunk
      #expect(granted <= 10)
      #expect(try await office.usage().held == granted)
    }
  }

  @Test func `claims, renewals, releases, expiry and force leave every count right`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 4, people: 12) { $0.overdraft = 1 }
      let second = try await office.addLicense(seats: 2)
      _ = try await atOnce(12) { worker in
        var random = SplitMix(seed: UInt64(worker))
        for _ in 0..<25 {
          let person = Int(random.next() % 12)
          switch random.next() % 12 {
          case 0: _ = try await office.free(person)
          case 1: _ = try await office.assign(person, of: random.next() % 2 == 0 ? nil : second)
          case 2: try await office.expire(person)
          case 3...5: _ = try await office.decide(person, .release)
          case 6: _ = try await office.decide(person, .renew(generation: Int64(random.next() % 50)))
          case _:
            let others = Set([person, (person + 5) % 12, (person + 7) % 12])
            _ = try await office.decide(others.map { ($0, .claim) })
          }
        }
        #expect(try await office.faults() == nil)
      }
      #expect(try await office.faults() == nil)
      // The trail tells of every seat how it came and went.
      #expect(
        try await store.ask(
          """
          SELECT count(*) FILTER (WHERE type = 'seat.granted' OR type = 'seat.assigned' AND actor_kind = 4
              AND generation NOT IN (SELECT generation FROM event g WHERE g.type = 'seat.granted'))
            - count(*) FILTER (WHERE type IN ('seat.released', 'seat.expired', 'seat.freed', 'seat.moved'))
            - (SELECT count(*) FROM seat) FROM event
          """) == "0")
    }
  }
}

/// Random numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
