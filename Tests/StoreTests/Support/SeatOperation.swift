import Directory
import Licensing

@testable import Store

/// Something that somebody does with the seats of an office, in the ledger's time.
enum SeatOperation: Sendable {
  /// A renewal names a generation of the ledger.
  case ask(Int, SeatRequest.Operation, SeatWish)
  case assign(Int, License)
  case free(Int, License, blockSeconds: Int64, isForced: Bool)
  case reserve([Int], License)
  /// The license gets these terms, whatever it had.
  case change(License, SeatLedger.Terms)

  /// What the ledger answers.
  func apply(to state: inout SeatModel.State, _ office: Office, at time: Instant) -> String {
    switch self {
    case .ask(let person, let operation, let wish):
      return state.ledger.decide(
        SeatRequest(identity: office.people[person].record.key, operation: operation, wish: wish), at: time)
    case .assign(let person, let license):
      return state.ledger.assign(license.record.id, to: office.people[person].record.key, at: time)
    case .free(let person, let license, let blockSeconds, let isForced):
      return state.ledger.free(
        license.record.id, of: office.people[person].record.key, blockSeconds: blockSeconds,
        isForced: isForced, at: time
      ).word
    case .reserve(let people, let license):
      let fits = state.ledger.reserve(
        Set(people.map { office.people[$0].record.key }), of: license.record.id, at: time)
      return fits ? "reserved" : "full"
    case .change(let license, let entry):
      state.set(license.record.id, entry)
      return "changed"
    }
  }

  /// What the database answers, through one server. What the ledger calls a later time is the database's now.
  func perform(
    in office: Office, _ combiner: SeatCombiner,
    generations: [Key<Identity>: (ledger: Int64, database: Int64)], elapsed: Int64
  ) async throws -> String {
    switch self {
    case .ask(let person, var operation, let wish):
      let identity = office.people[person].record.key
      if case .renew(let generation) = operation, let known = generations[identity],
        known.ledger == generation
      {
        operation = .renew(generation: known.database)
      }
      if case .borrow(let until) = operation { operation = .borrow(until: until.adding(seconds: -elapsed)) }
      // The hint may be wrong: what the ledger answers knows nothing of it.
      return try await combiner.decide(
        SeatRequest(identity: identity, operation: operation, wish: wish, isBelievedHeld: .random())
      ).word
    case .assign(let person, let license): return try await office.assign(person, of: license).word
    case .free(let person, let license, let blockSeconds, let isForced):
      return try await office.free(person, of: license, blockSeconds: blockSeconds, isForced: isForced).word
    case .reserve(let people, let license):
      return try await office.reserve(people, of: license) == .reserved ? "reserved" : "full"
    case .change(let license, let entry):
      var real = entry.terms
      real.overdraftUntil = real.overdraftUntil?.adding(seconds: -elapsed)
      real.expiresAt = real.expiresAt?.adding(seconds: -elapsed)
      try await office.change(license) { [real] in
        $0.status = entry.status
        $0.terms = real
      }
      return "changed"
    }
  }
}

extension FreeOutcome {
  var word: String {
    switch self {
    case .freed: "freed"
    case .nothingHeld: "nothing"
    case .borrowed: "borrowed"
    }
  }
}
