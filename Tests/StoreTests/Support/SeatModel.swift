import Directory
import Licensing
import Reactor

@testable import Store

/// A ledger, and the office that it describes, as two servers see it.
struct SeatModel {
  private static let people = 7
  /// The same office through either server.
  private let offices: [Office]
  private let combiners: [SeatCombiner]
  private let licenses: [License]
  private var state: State

  /// What the specification knows.
  struct State {
    var ledger = SeatLedger()
    var terms: [Identifier: SeatLedger.Terms] = [:]
    /// How far the database's times have been moved into the past.
    var elapsed: Int64 = 0
    /// The generations of the ledger by those of the database: which ones is the allocator's own business.
    var generations: [Key<Identity>: (ledger: Int64, database: Int64)] = [:]
  }

  init(in one: TestStore, and other: TestStore, on loops: [EventLoop]) async throws {
    let office = try await Office(in: one, seats: 2, people: Self.people) {
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
    offices = [office, office.through(other)]
    combiners = zip([one, other], loops).map { store, loop in
      SeatCombiner(
        organization: office.organization.record.key, product: office.product.record.key, on: [loop],
        store: store.seats)
    }
    licenses = [office.license, cad, named]
    state = State()
    for license in licenses {
      let features = office.product.features.merging(license.terms.features) { $1 }
      state.set(
        license.record.id,
        SeatLedger.Terms(
          model: license.model, status: license.status, terms: license.terms, features: features))
    }
  }

  private var office: Office { offices[0] }

  private var now: Instant {
    get async throws {
      try await office.store.units.read { try await $0.now() }.adding(seconds: state.elapsed)
    }
  }

  /// So many operations at once on the database, and then on the ledger, in whichever order explains their answers and what
  /// they left. What was done, and why there is no such order.
  mutating func round(
    of count: Int, using random: inout SplitMix
  ) async throws -> (operations: [String], fault: String?) {
    if random.next() % 20 == 0 {
      try await passTime(seconds: 250)
      return (["250 s later"], try await difference(from: state, at: now, to: face()))
    }
    let time = try await now
    let operations = (0..<count).map { _ in operation(at: time, using: &random) }
    let generations = state.generations
    let elapsed = state.elapsed
    let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for (index, operation) in operations.enumerated() {
        let server = (index + Int(time.microseconds % 2)) % 2
        group.addTask { [offices, combiners] in
          let answer = try await operation.perform(
            in: offices[server], combiners[server], generations: generations, elapsed: elapsed)
          return (index, answer)
        }
      }
      return try await group.reduce(into: Array(repeating: "", count: count)) { $0[$1.0] = $1.1 }
    }
    let face = try await face()
    let told = zip(operations, answers).map { "\($0): \($1)" }
    if let faults = face.faults { return (told, faults) }
    let after = try await now
    let calls = Array(zip(operations, answers))
    var nearest: String?
    guard var next = explanation(of: calls, from: state, at: after, face, &nearest) else {
      return (told, nearest ?? "no order explains these answers")
    }
    next.match(face, office)
    state = next
    return (told, nil)
  }

  /// A state that some order of the calls leads to, in which every answer is right, and which looks as the database does.
  private func explanation(
    of calls: [(SeatOperation, String)], from state: State, at time: Instant, _ face: Face,
    _ nearest: inout String?
  ) -> State? {
    if calls.isEmpty {
      let difference = difference(from: state, at: time, to: face)
      nearest = difference ?? nearest
      return difference == nil ? state : nil
    }
    for (index, call) in calls.enumerated() {
      var next = state
      guard call.0.apply(to: &next, office, at: time) == call.1 else { continue }
      var rest = calls
      rest.remove(at: index)
      if let found = explanation(of: rest, from: next, at: time, face, &nearest) { return found }
    }
    return nil
  }

  // MARK: Operations

  private func operation(at time: Instant, using random: inout SplitMix) -> SeatOperation {
    let person = Int(random.next() % UInt64(Self.people))
    let license = licenses[Int(random.next() % 3)]
    switch random.next() % 19 {
    case 0...6: return .ask(person, .claim, wish(&random))
    case 7...8: return .ask(person, .release, .none)
    case 9:
      let known = state.generations[office.people[person].record.key]?.ledger ?? 0
      return .ask(person, .renew(generation: known), .none)
    case 10...11:
      let until = time.adding(seconds: Int64(random.next() % 5) * 500 - 250)
      return .ask(person, .borrow(until: until), wish(&random))
    case 12...13: return .assign(person, license)
    case 14...15:
      return .free(
        person, license, blockSeconds: Int64(random.next() % 2) * 190, isForced: random.next() % 3 == 0)
    case 16: return .reserve((0..<Self.people).filter { _ in random.next() % 4 == 0 }, license)
    default: return .change(license, changed(license, at: time, &random))
    }
  }

  private func wish(_ random: inout SplitMix) -> SeatWish {
    switch random.next() % 5 {
    case 0: SeatWish(features: ["cad"])
    case 1: SeatWish(license: licenses[Int(random.next() % 3)].record.id)
    default: .none
    }
  }

  private func changed(_ license: License, at time: Instant, _ random: inout SplitMix) -> SeatLedger.Terms {
    guard var entry = state.terms[license.record.id] else { return SeatLedger.Terms(terms: license.terms) }
    switch random.next() % 6 {
    case 0: entry.status = entry.status == .active ? .suspended : .active
    case 1: entry.terms.seats = Int32(random.next() % 4)
    case 2: entry.terms.overdraft = Int32(random.next() % 3)
    case 3: entry.terms.overdraftUntil = random.next() % 2 == 0 ? nil : time.adding(seconds: 700)
    case 4:
      let end = time.adding(seconds: Int64(random.next() % 4) * 500 - 370)
      entry.terms.expiresAt = random.next() % 3 == 0 ? nil : end
    default: entry.terms.assignment = entry.terms.assignment == .manual ? .firstClaim : .manual
    }
    return entry
  }

  /// The ledger's clock goes on; the database's cannot, so that everything it has written moves into the past.
  private mutating func passTime(seconds: Int64) async throws {
    state.elapsed += seconds
    try await office.store.run(
      """
      UPDATE seat SET expires_at = expires_at - interval '\(seconds) s', reclaim_at = reclaim_at - interval '\(seconds) s',
        lent_until = lent_until - interval '\(seconds) s';
      UPDATE reservation SET until = until - interval '\(seconds) s';
      UPDATE seat_loss SET blocked_until = blocked_until - interval '\(seconds) s';
      UPDATE license_counter SET overdraft_until = overdraft_until - interval '\(seconds) s';
      UPDATE license SET ends_at = ends_at - interval '\(seconds) s';
      """)
  }

  // MARK: Comparing

  /// What the database shows.
  struct Face {
    var usage: [LicenseUsage] = []
    var holds: [String?] = []
    var generations: [Int64?] = []
    var faults: String?
  }

  private func face() async throws -> Face {
    var face = Face()
    for license in licenses { face.usage.append(try await office.usage(of: license)) }
    for person in office.people {
      let row = try await office.store.ask(
        """
        SELECT concat_ws(' ', s.generation, l.public_id, s.kind = 2, s.overdraft, s.at_risk,
          coalesce(s.lent_until > now(), false))
        FROM seat s JOIN license l ON l.id = s.license_id
        WHERE s.identity_id = \(person.record.key.rawValue) AND s.expires_at > now()
        """)
      let parts = row?.split(separator: " ", maxSplits: 1)
      face.generations.append(parts.flatMap { Int64($0[0]) })
      face.holds.append(parts.map { String($0[1]) })
    }
    face.faults = try await office.faults(ofDrained: true)
    return face
  }

  /// What the ledger and the database do not agree about.
  private func difference(from state: State, at time: Instant, to face: Face) -> String? {
    if let faults = face.faults { return faults }
    for (license, theirs) in zip(licenses, face.usage) {
      let mine = state.ledger.usage(of: license.record.id, at: time)
      if mine != theirs { return "usage \(mine), in the database \(theirs)" }
    }
    for (person, theirs) in zip(office.people, face.holds) {
      let mine = state.ledger.live(person.record.key, at: time).map { hold in
        let isLent = hold.lentUntil.map { $0 > time } ?? false
        let marks = [hold.isAssigned, hold.isOverdraft, hold.isAtRisk, isLent].map { $0 ? "t" : "f" }
        return "\(hold.license) \(marks.joined(separator: " "))"
      }
      if mine != theirs {
        return "\(person.name) holds \(mine ?? "nothing"), in the database \(theirs ?? "nothing")"
      }
    }
    return nil
  }
}

extension SeatModel.State {
  mutating func set(_ id: Identifier, _ entry: SeatLedger.Terms) {
    terms[id] = entry
    ledger.set(id, entry)
  }

  /// Notes which generation of the database is which of the ledger.
  mutating func match(_ face: SeatModel.Face, _ office: Office) {
    for (person, generation) in zip(office.people, face.generations) {
      let key = person.record.key
      if let generation, let hold = ledger.holds[key] { generations[key] = (hold.generation, generation) }
    }
  }
}
