import Licensing

/// The rows of one batch put together: each request's answer with what its license says.
struct SeatBatch {
  private let licenses: [SeatAnswer]
  private let stated: [Key<License>: SeatAnswer]
  private let answers: [SeatAnswer]

  init(_ rows: [SeatAnswer]) {
    // An assignment's only row states its license too.
    licenses = rows.filter { $0.request == 0 || $0.terms != nil }
    answers = rows.filter { $0.request > 0 }
    stated = rows.reduce(into: [:]) { stated, row in
      if row.request == 0, let license = row.license { stated[license] = row }
    }
  }

  /// The outcomes in the order of the requests.
  func outcomes(count: Int) throws(StorageError) -> [SeatOutcome] {
    let complete = try answered(count: count).compactMap { $0 }
    guard complete.count == count else { throw .fault("a batch was answered in part") }
    return complete
  }

  /// The outcomes in the order of the requests; nil where there is no answer.
  func answered(count: Int) throws(StorageError) -> [SeatOutcome?] {
    var outcomes = [SeatOutcome?](repeating: nil, count: count)
    for answer in answers where outcomes.indices.contains(answer.request - 1) {
      outcomes[answer.request - 1] = try outcome(of: answer)
    }
    return outcomes
  }

  private func outcome(of answer: SeatAnswer) throws(StorageError) -> SeatOutcome {
    switch answer.outcome {
    case "granted": return .granted(try seat(of: answer))
    case "renewed": return .renewed(try seat(of: answer))
    case "released": return .released
    case let text:
      guard let reason = text.flatMap(SeatRefusal.Reason.init) else {
        throw .fault("no such outcome of a seat request: \(text ?? "none")")
      }
      return .refused(refusal(reason, answer))
    }
  }

  private func seat(of answer: SeatAnswer) throws(StorageError) -> Seat {
    guard let seat = answer.seat(with: answer.license.flatMap { stated[$0] }) else {
      throw .fault("a seat without its license")
    }
    return seat
  }

  private func refusal(_ reason: SeatRefusal.Reason, _ answer: SeatAnswer) -> SeatRefusal {
    switch reason {
    case .identitySuspended, .organizationSuspended, .productUnknown: return SeatRefusal(reason: reason)
    case .leaseLost: return SeatRefusal(reason: reason, loss: answer.loss.flatMap(SeatRefusal.Loss.init))
    case .seatBlocked, .seatBorrowed:
      return SeatRefusal(reason: reason, retryAfterSeconds: answer.retryAt.map(answer.statedAt.secondsUntil))
    case _: break
    }
    let candidates = answer.candidates ?? licenses.compactMap(candidate)
    let full = licenses.filter { license in
      reason == .noSeatAvailable
        && candidates.contains { $0.license == license.terms?.license && $0.reason == reason }
    }
    let earliest = full.compactMap(\.retryAt).min()
    return SeatRefusal(
      reason: reason, candidates: candidates,
      seats: full.reduce(0) { $0 + Int64($1.terms?.seats ?? 0) },
      held: full.reduce(0) { $0 + Int64($1.terms?.held ?? 0) },
      retryAfterSeconds: earliest.map(answer.statedAt.secondsUntil))
  }

  private func candidate(_ row: SeatAnswer) -> SeatRefusal.Candidate? {
    guard let license = row.terms?.license, let reason = row.outcome.flatMap(SeatRefusal.Reason.init) else {
      return nil
    }
    return SeatRefusal.Candidate(license: license, reason: reason)
  }
}

extension Instant {
  /// Whole seconds until `later`, rounded up, at least 1: a client that waits so long is not too early.
  func secondsUntil(_ later: Instant) -> Int64 {
    max(1, (later.microseconds(since: self) + 999_999) / 1_000_000)
  }
}
