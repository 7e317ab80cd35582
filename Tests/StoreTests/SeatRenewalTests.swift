import Licensing
import Testing

@testable import Store

/// Renewals by those who are believed to hold a seat: written by a statement of their own, and answered like any other.
@Suite struct SeatRenewalTests {
  @Test func `a belief that is wrong changes no answer`() async throws {
    try await TestStore.withStore { store in
      let judged = try await answers(store, "judged", areBelievedHeld: false)
      let believed = try await answers(store, "believed", areBelievedHeld: true)
      #expect(believed == judged)
      #expect(
        judged == [
          "renewed", "granted", "renewed", "lease-lost", "identity-suspended", "granted", "no-seat-available",
          "lease-lost",
        ])
    }
  }

  /// What eight people are told who come at once: a holder, one who never held a seat, one who names the seat, one who
  /// names another, one suspended with a seat, one whose seat has run out, one for whom there is none left, and one who
  /// names the generation that nothing has.
  private func answers(_ store: TestStore, _ slug: String, areBelievedHeld: Bool) async throws -> [String] {
    let office = try await Office(in: store, slug: slug, seats: 7, people: 8)
    var generations: [Int64] = []
    for person in [0, 2, 3, 4, 5, 7] {
      generations.append(try #require(try await office.claim(person).seat).generation)
    }
    try await store.units.transact { unit in
      var suspended = office.people[4]
      suspended.status = .suspended
      _ = try await unit.update(suspended)
    }
    try await office.expire(5)
    let outcomes = try await office.decide(
      [
        (0, .claim), (1, .claim), (2, .renew(generation: generations[1])),
        (3, .renew(generation: generations[2] + 1000)), (4, .claim), (5, .claim), (6, .claim),
        (7, .renew(generation: 0)),
      ], areBelievedHeld: areBelievedHeld)
    #expect(try await office.faults() == nil)
    return outcomes.map(\.word)
  }

  @Test func `of several licenses each renews by its own terms, and only those in force`() async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store, seats: 1, people: 3)
      let second = try await office.addLicense(seats: 1) { $0.leaseSeconds = 7200 }
      let third = try await office.addLicense(seats: 1)
      for person in 0..<3 { #expect(try await office.claim(person).word == "granted") }
      var before: [Identifier] = []
      for person in 0..<3 { before.append(try #require(try await office.held(by: person)).license) }
      #expect(Set(before) == [office.license.record.id, second.record.id, third.record.id])
      try await office.change(third) { $0.status = .suspended }

      let all = try await office.decide((0..<3).map { ($0, .claim) }, areBelievedHeld: true)
      let lone = try #require(before.firstIndex(of: third.record.id))
      #expect(all.enumerated().allSatisfy { $0.offset == lone || $0.element.word == "renewed" })
      #expect(all[lone].word != "renewed")
      let long = try #require(before.firstIndex(of: second.record.id))
      #expect(all[long].seat?.leaseSeconds == 7200)
      #expect(try await office.faults() == nil)
    }
  }
}
