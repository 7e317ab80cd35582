import Licensing
import Testing

@Suite("What may become of a license")
struct LicenseRuleTests {
  private func license(seats: Int32, overdraft: Int32, held: Int64, dormant: Int64 = 0) -> License {
    let time = Instant(seconds: 0)
    return License(
      record: Record(
        key: Key(1), id: Identifier(high: 0, low: 1), externalID: nil, metadata: [:], createdAt: time,
        updatedAt: time, revision: 1),
      organization: Key(1), product: Key(1), productCode: .example, model: .floating,
      terms: LicenseTerms(seats: seats, overdraft: overdraft), status: .active,
      usage: LicenseUsage(held: held, reserved: 0, limit: Int64(seats + overdraft), dormant: dormant))
  }

  @Test(
    "a smaller license strands whoever is above the new limit",
    arguments: [
      (5, 0, 3, 3, 0, false), (5, 0, 3, 2, 0, true), (5, 2, 7, 4, 2, true), (5, 2, 6, 4, 2, false),
      (5, 2, 6, 5, 0, true), (5, 0, 9, 5, 0, false), (5, 0, 9, 6, 0, false), (5, 0, 0, 0, 0, false),
    ] as [(Int32, Int32, Int64, Int32, Int32, Bool)])
  func shrinking(
    seats: Int32, overdraft: Int32, held: Int64, newSeats: Int32, newOverdraft: Int32, strands: Bool
  ) {
    let license = license(seats: seats, overdraft: overdraft, held: held)
    #expect(
      license.strandsHolders(
        under: LicenseTerms(seats: newSeats, overdraft: newOverdraft), at: Instant(seconds: 0)) == strands)
  }

  @Test("a license that ended comes back with room for the seats that ended with it")
  func returning() {
    let license = license(seats: 3, overdraft: 0, held: 0, dormant: 3)
    let now = Instant(seconds: 100)
    func strands(_ seats: Int32, _ end: Int64?) -> Bool {
      license.strandsHolders(
        under: LicenseTerms(seats: seats, expiresAt: end.map { Instant(seconds: $0) }), at: now)
    }
    #expect(!strands(2, 100) && !strands(0, 50), "while it has ended they count for nothing")
    #expect(strands(2, 101) && strands(2, nil))
    #expect(!strands(3, 101) && !strands(3, nil))
    #expect(license.isDeletable)
  }

  @Test("a license can be deleted when nobody holds a seat")
  func deleting() {
    #expect(license(seats: 1, overdraft: 0, held: 0).isDeletable)
    #expect(!license(seats: 1, overdraft: 0, held: 1).isDeletable)
  }

  @Test("a license ends after it starts")
  func order() {
    let time = Instant(seconds: 100)
    #expect(LicenseTerms(seats: 1, startsAt: time, expiresAt: time.adding(seconds: 1)).isOrdered)
    #expect(!LicenseTerms(seats: 1, startsAt: time, expiresAt: time).isOrdered)
    #expect(LicenseTerms(seats: 1, expiresAt: time).isOrdered)
  }
}
