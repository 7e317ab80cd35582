import Testing

extension Crowd {
  /// When a fault is over: nothing that was acknowledged is missing, nothing is oversold, and whoever was not answered
  /// gets the right answer now.
  func expectKept(_ before: [Int: Outcome], seats: Int) async throws {
    #expect(try tenant.faults() == [])
    let kept = try tenant.seats()
    #expect(before.held.filter { kept[$0.key] != $0.value } == [:], "acknowledged, and not in the database")

    let checked = await check(Set(before.held.keys))
    #expect(checked.held == before.held, "\(checked.filter { before.held[$0.key] == nil })")

    let after = await claim(Set(before.unknown.keys))
    #expect(after.unknown.isEmpty, "\(after.unknown)")
    let refusals = before.refusals.merging(after.refusals) { $1 }
    #expect(before.held.count + after.held.count == seats && refusals.count == everybody.count - seats)
    #expect(refusals.allSatisfy { $0.value == "no-seat-available" }, "\(Set(refusals.values))")
    // Seats that were granted when nobody could be told any more are still the same ones.
    let found = after.held.filter { kept[$0.key] != nil }
    #expect(found.allSatisfy { kept[$0.key] == $0.value })
    print(
      "\(before.held.count) acknowledged before, \(found.count) granted unheard, \(after.held.count) after"
    )

    #expect(try tenant.faults() == [])
    #expect(try tenant.seats() == before.held.merging(after.held) { $1 })
  }
}
