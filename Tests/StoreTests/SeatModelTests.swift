import Licensing
import Testing

@testable import Store

/// The database beside the executable specification: the same operations, one after the other, through two servers in
/// turn, and after each the same answer, the same holders, the same counts, and nothing that does not add up.
@Suite struct SeatModelTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `whatever is asked, the database does what the ledger says`(seed: UInt64) async throws {
    try await TestStore.withStore { store in
      var model = try await SeatModel(seed: seed, in: store)
      for step in 0..<250 {
        let told = try await model.step()
        let faults = try await model.differences()
        #expect(faults.isEmpty, "step \(step), \(told): \(faults.joined(separator: "; "))")
        guard faults.isEmpty else { return }
      }
    }
  }
}

/// A ledger, and the office that it describes.
private struct SeatModel {
  private static let people = 7
  private let office: Office
  private let licenses: [License]
  private var ledger = SeatLedger()
  private var random: SplitMix
  /// How far the database's times have been moved into the past.
  private var elapsed: Int64 = 0
  private var terms: [Identifier: SeatLedger.Terms] = [:]
  /// The generations of the ledger by those of the database: which ones is the allocator's own business.
  private var generations: [Key<Identity>: (ledger: Int64, database: Int64)] = [:]

  init(seed: UInt64, in store: TestStore) async throws {
    random = SplitMix(seed: seed)
    office = try await Office(in: store, seats: 2, people: Self.people) {
      $0.leaseSeconds = 610
      $0.overdraft = 1
      $0.maxBorrowSeconds = 2000
      $0.unborrowableSeats = 1
    }
    let cad = try await office.addLicense(seats: 1) {
      $0.leaseSeconds = 330
      $0.features = ["cad": .flag(true)]
      $0.expiresAt = SeatRefusalTests.farAway
      $0.maxBorrowSeconds = 700
    }
    let named = try await office.addLicense(seats: 2, model: .named) { $0.reassignSeconds = 470 }
    licenses = [office.license, cad, named]
    for license in licenses { set(license.record.id, license) }
  }

  private mutating func set(_ id: Identifier, _ license: License) {
    let features = office.product.features.merging(license.terms.features) { $1 }
    let entry = SeatLedger.Terms(
      model: license.model, status: license.status, terms: license.terms, features: features)
    terms[id] = entry
    ledger.set(id, entry)
  }

  private var now: Instant {
    get async throws {
      try await office.store.units.read { try await $0.now() }.adding(seconds: elapsed)
    }
  }

  /// One operation on both; what it was, and what they said when they disagree.
  mutating func step() async throws -> String {
    let person = Int(random.next() % UInt64(Self.people))
    let identity = office.people[person].record.key
    let license = licenses[Int(random.next() % 3)]
    switch random.next() % 20 {
    case 0...6: return try await ask(person, .claim, wish())
    case 7...8: return try await ask(person, .release, .none)
    case 9: return try await ask(person, .renew(generation: generations[identity]?.ledger ?? 0), .none)
    case 10...11:
      let seconds = Int64(random.next() % 5) * 500 - 250
      return try await ask(person, .borrow(until: try await now.adding(seconds: seconds)), wish())
    case 12: return try await passTime(seconds: 250)
    case 13...14:
      let word = ledger.assign(license.record.id, to: identity, at: try await now)
      return try await compare("assign \(person)", word, office.assign(person, of: license).word)
    case 15...16:
      let (block, force) = (Int64(random.next() % 2) * 190, random.next() % 3 == 0)
      let mine = ledger.free(
        license.record.id, of: identity, blockSeconds: block, isForced: force, at: try await now)
      let theirs = try await office.free(person, of: license, blockSeconds: block, isForced: force)
      return try compare("free \(person), \(force)", mine.word, theirs.word)
    case 17:
      let chosen = (0..<Self.people).filter { _ in random.next() % 4 == 0 }
      let fits = ledger.reserve(
        Set(chosen.map { office.people[$0].record.key }), of: license.record.id, at: try await now)
      let outcome = try await office.reserve(chosen, of: license)
      return try compare(
        "reserve \(chosen)", fits ? "reserved" : "full", outcome == .reserved ? "reserved" : "full")
    default: return try await change(license)
    }
  }

  private mutating func wish() -> SeatWish {
    switch random.next() % 5 {
    case 0: SeatWish(features: ["cad"])
    case 1: SeatWish(license: licenses[Int(random.next() % 3)].record.id)
    default: .none
    }
  }

  private mutating func ask(
    _ person: Int, _ operation: SeatRequest.Operation, _ wish: SeatWish
  ) async throws -> String {
    let identity = office.people[person].record.key
    let word = ledger.decide(
      SeatRequest(identity: identity, operation: operation, wish: wish), at: try await now)
    var real = operation
    if case .renew(let generation) = operation, let known = generations[identity], known.ledger == generation
    {
      real = .renew(generation: known.database)
    }
    // What the ledger calls a later time is the database's now.
    if case .borrow(let until) = operation { real = .borrow(until: until.adding(seconds: -elapsed)) }
    let outcome = try await office.decide([(person, real)], wish: wish)[0]
    if let seat = outcome.seat, let hold = ledger.holds[identity] {
      generations[identity] = (hold.generation, seat.generation)
    }
    return try compare("\(operation) of \(person), \(wish)", word, outcome.word)
  }

  private mutating func change(_ license: License) async throws -> String {
    let id = license.record.id
    guard var entry = terms[id] else { return "nothing" }
    switch random.next() % 6 {
    case 0: entry.status = entry.status == .active ? .suspended : .active
    case 1: entry.terms.seats = Int32(random.next() % 4)
    case 2: entry.terms.overdraft = Int32(random.next() % 3)
    case 3: entry.terms.overdraftUntil = random.next() % 2 == 0 ? nil : try await now.adding(seconds: 700)
    case 4:
      let end = try await now.adding(seconds: Int64(random.next() % 4) * 500 - 370)
      entry.terms.expiresAt = random.next() % 3 == 0 ? nil : end
    default: entry.terms.assignment = entry.terms.assignment == .manual ? .firstClaim : .manual
    }
    var real = entry
    real.terms.overdraftUntil = entry.terms.overdraftUntil?.adding(seconds: -elapsed)
    real.terms.expiresAt = entry.terms.expiresAt?.adding(seconds: -elapsed)
    try await office.change(license) { [real] in
      $0.status = real.status
      $0.terms = real.terms
    }
    terms[id] = entry
    ledger.set(id, entry)
    return "change"
  }

  /// The ledger's clock goes on; the database's cannot, so that everything it has written moves into the past.
  private mutating func passTime(seconds: Int64) async throws -> String {
    elapsed += seconds
    try await office.store.run(
      """
      UPDATE seat SET expires_at = expires_at - interval '\(seconds) s', reclaim_at = reclaim_at - interval '\(seconds) s',
        lent_until = lent_until - interval '\(seconds) s';
      UPDATE reservation SET until = until - interval '\(seconds) s';
      UPDATE seat_loss SET blocked_until = blocked_until - interval '\(seconds) s';
      UPDATE license_counter SET overdraft_until = overdraft_until - interval '\(seconds) s';
      UPDATE license SET ends_at = ends_at - interval '\(seconds) s';
      """)
    return "\(seconds) s later"
  }

  private func compare(_ what: String, _ ledger: String, _ database: String) throws -> String {
    guard ledger == database else {
      throw StorageError.fault("\(what): the ledger says \(ledger), the database \(database)")
    }
    return "\(what): \(ledger)"
  }

  /// What the two do not agree about.
  func differences() async throws -> [String] {
    var found: [String] = []
    let time = try await now
    for license in licenses {
      let (mine, theirs) = (
        ledger.usage(of: license.record.id, at: time), try await office.usage(of: license)
      )
      if mine != theirs { found.append("usage \(mine), in the database \(theirs)") }
    }
    for person in office.people {
      let identity = person.record.key
      let hold = ledger.live(identity, at: time)
      let row = try await office.store.ask(
        """
        SELECT concat_ws(' ', l.public_id, s.kind = 2, s.overdraft, s.at_risk, s.lent_until > now())
        FROM seat s JOIN license l ON l.id = s.license_id
        WHERE s.identity_id = \(identity.rawValue) AND s.expires_at > now()
        """)
      let mine = hold.map { hold in
        let isLent = hold.lentUntil.map { $0 > time }.map { $0 ? " t" : " f" } ?? ""
        func sign(_ truth: Bool) -> String { truth ? "t" : "f" }
        return
          "\(hold.license) \(sign(hold.isAssigned)) \(sign(hold.isOverdraft)) \(sign(hold.isAtRisk))\(isLent)"
      }
      if mine != row {
        found.append("\(person.name) holds \(mine ?? "nothing"), in the database \(row ?? "nothing")")
      }
    }
    if let faults = try await office.faults(ofDrained: true) { found.append(faults) }
    return found
  }
}

extension FreeOutcome {
  fileprivate var word: String {
    switch self {
    case .freed: "freed"
    case .nothingHeld: "nothing"
    case .borrowed: "borrowed"
    }
  }
}
