import Issuance
import Licensing

@testable import Store

/// An organization, a product, one license of it, and people who want its seats.
struct Office: Sendable {
  private(set) var store: TestStore
  let organization: Organization
  let product: Product
  let license: License
  let people: [Identity]

  init(
    in store: TestStore, slug: String = "acme", seats: Int32 = 2, people count: Int = 4,
    model: License.Model = .floating, change: @Sendable (inout LicenseTerms) -> Void = { _ in }
  ) async throws {
    self.store = store
    var terms = LicenseTerms(seats: seats)
    change(&terms)
    let (organization, product, license, people) = try await store.units.transact { [terms] unit in
      let organization = try await unit.insert(
        NewOrganization(record: TestStore.newRecord(), slug: Slug(slug)!, name: slug))
      var product = try await unit.product(ProductCode("studio")!, locked: false)
      if product == nil {
        product = try await unit.insert(
          NewProduct(
            record: TestStore.newRecord(), code: ProductCode("studio")!, name: "Studio",
            features: ["export": .flag(true), "tier": .text("pro")]))
      }
      let license = try await unit.insert(
        NewLicense(
          record: TestStore.newRecord(), organization: organization.record.key, product: product!.record.key,
          model: model, terms: terms))
      var people: [Identity] = []
      for index in 0..<count {
        people.append(
          try await unit.insert(
            NewIdentity(
              record: TestStore.newRecord(), organization: organization.record.key,
              name: IdentityName("person-\(index)")!)))
      }
      return (organization, product!, license, people)
    }
    self.organization = organization
    self.product = product
    self.license = license
    self.people = people
  }

  /// The same office, through another server.
  func through(_ store: TestStore) -> Office {
    var office = self
    office.store = store
    return office
  }

  /// Another license of the same product.
  func addLicense(
    seats: Int32, model: License.Model = .floating, change: @Sendable (inout LicenseTerms) -> Void = { _ in }
  ) async throws -> License {
    var terms = LicenseTerms(seats: seats)
    change(&terms)
    return try await store.units.transact { [terms] unit in
      try await unit.insert(
        NewLicense(
          record: TestStore.newRecord(), organization: organization.record.key, product: product.record.key,
          model: model, terms: terms))
    }
  }

  // MARK: What devices do

  func decide(
    _ requests: [(Int, SeatRequest.Operation)], wish: SeatWish = .none, areBelievedHeld: Bool = false
  ) async throws(StorageError) -> [SeatOutcome] {
    try await store.seats.decide(
      requests.map {
        SeatRequest(
          identity: people[$0.0].record.key, operation: $0.1, wish: wish, isBelievedHeld: areBelievedHeld)
      },
      organization: organization.record.key, product: product.record.key)
  }

  func decide(_ person: Int, _ operation: SeatRequest.Operation) async throws(StorageError) -> SeatOutcome {
    try await decide([(person, operation)])[0]
  }

  func claim(_ person: Int) async throws(StorageError) -> SeatOutcome { try await decide(person, .claim) }

  /// Borrows for so many seconds from the database's now.
  func borrow(_ person: Int, seconds: Int64, wish: SeatWish = .none) async throws -> SeatOutcome {
    let now = try await store.units.read { try await $0.now() }
    return try await decide([(person, .borrow(until: now.adding(seconds: seconds)))], wish: wish)[0]
  }

  func held(by person: Int) async throws(StorageError) -> Seat? {
    try await store.seats.seat(
      of: people[person].record.key, organization: organization.record.key, product: product.record.key)
  }

  // MARK: What admins do

  func assign(_ person: Int, of license: License? = nil) async throws -> AssignOutcome {
    try await store.units.transact {
      try await $0.assign(license ?? self.license, to: people[person], actor: .machine)
    }
  }

  func free(
    _ person: Int, of license: License? = nil, blockSeconds: Int64 = 0, isForced: Bool = false
  ) async throws -> FreeOutcome {
    try await store.units.transact {
      try await $0.free(
        license ?? self.license, of: people[person], blockSeconds: blockSeconds, isForced: isForced,
        actor: .machine)
    }
  }

  /// As the API does it: what does not fit is undone.
  func reserve(_ people: [Int], of license: License? = nil) async throws -> ReserveOutcome {
    struct Undo: Error { let outcome: ReserveOutcome }
    do {
      return try await store.units.transact { unit in
        let outcome = try await unit.reserve(
          Reservations(people.map { self.people[$0].name }), of: license ?? self.license)
        guard outcome == .reserved else { throw Undo(outcome: outcome) }
        return outcome
      }
    } catch let undo as Undo { return undo.outcome }
  }

  func change(_ license: License? = nil, _ body: @Sendable (inout License) -> Void) async throws {
    try await store.units.transact { unit in
      guard
        var found = try await unit.license(
          (license ?? self.license).record.id, of: organization.record.key, locked: true)
      else { throw StorageError.fault("no license") }
      body(&found)
      _ = try await unit.update(found)
    }
  }

  func usage(of license: License? = nil) async throws -> LicenseUsage {
    try await store.units.read { unit in
      let found = try await unit.license(
        (license ?? self.license).record.id, of: organization.record.key, locked: false)
      guard let found else { throw StorageError.fault("no license") }
      return found.usage
    }
  }

  // MARK: What time does

  /// Lets every lease of these people run out.
  func expire(_ people: Int...) async throws {
    let keys = people.map { String(self.people[$0].record.key.rawValue) }.joined(separator: ",")
    try await store.run(
      """
      SELECT seat_lock(\(organization.record.key.rawValue), \(product.record.key.rawValue));
      UPDATE seat SET expires_at = now() - interval '1 s', reclaim_at = now() - interval '1 s', lent_until = NULL,
        at_risk = false
      WHERE kind = 1 AND identity_id IN (\(keys))
      """)
  }

  /// The invariants of the design, of every license there is: empty when they hold. Of licenses that were drained the
  /// limit is none.
  func faults(ofDrained isDrained: Bool = false) async throws -> String? {
    try await store.ask(
      """
      SELECT string_agg(format('license %s: %s in use, %s rows, %s reserved, %s reservations, %s kept, limit %s',
        c.license_id, c.in_use, n.count, c.reserved, r.count, n.kept, c.seats + c.overdraft), '; ')
      FROM license_counter c
      CROSS JOIN LATERAL (SELECT count(*), max(generation) AS newest, count(*) FILTER (WHERE s.reserved) AS kept,
          count(*) FILTER (WHERE s.reserved <> EXISTS (SELECT FROM reservation r
            WHERE (r.organization_id, r.product_id, r.identity_id, r.license_id)
              = (s.organization_id, s.product_id, s.identity_id, s.license_id))) AS confused
        FROM seat s WHERE s.organization_id = c.organization_id AND s.license_id = c.license_id) n
      CROSS JOIN LATERAL (SELECT count(*) FROM reservation r
        WHERE r.organization_id = c.organization_id AND r.license_id = c.license_id) r
      WHERE c.in_use <> n.count OR \(!isDrained) AND n.count > c.seats + c.overdraft OR n.newest > c.generation OR n.confused > 0
        OR c.reserved <> r.count - n.kept
      """)
  }
}

extension SeatOutcome {
  var seat: Seat? {
    switch self {
    case .granted(let seat), .renewed(let seat): seat
    case .released, .refused: nil
    }
  }

  var refusal: SeatRefusal? { if case .refused(let refusal) = self { refusal } else { nil } }

  /// What a test expects to read: `granted`, `renewed`, `released`, or the reason of the refusal.
  var word: String {
    switch self {
    case .granted: "granted"
    case .renewed: "renewed"
    case .released: "released"
    case .refused(let refusal): refusal.reason.rawValue
    }
  }
}

extension AssignOutcome {
  var word: String {
    switch self {
    case .assigned: "assigned"
    case .already: "already"
    case .refused(let refusal): refusal.reason.rawValue
    }
  }
}
