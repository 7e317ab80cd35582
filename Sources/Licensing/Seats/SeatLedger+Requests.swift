/// What devices do.
extension SeatLedger {
  /// The word of the outcome: `granted`, `renewed`, `released` or a reason. The hold is in `holds`.
  public mutating func decide(_ request: SeatRequest, at now: Instant) -> String {
    let identity = request.identity
    let held = live(identity, at: now)
    if case .release = request.operation {
      release(identity, held)
      return "released"
    }
    if suspended.contains(identity) { return SeatRefusal.Reason.identitySuspended.rawValue }
    if case .renew(let generation) = request.operation {
      guard var held, !held.isAtRisk, held.generation == generation else {
        return SeatRefusal.Reason.leaseLost.rawValue
      }
      if let objection = licenses[held.license]?.objection(at: now) { return objection.rawValue }
      renew(&held, of: identity, at: now)
      return "renewed"
    }
    if let held, held.isAtRisk { return SeatRefusal.Reason.seatBlocked.rawValue }
    if held == nil, let until = blocks[identity], until > now {
      return SeatRefusal.Reason.seatBlocked.rawValue
    }
    if var held {
      guard let objection = licenses[held.license]?.objection(at: now) else {
        if case .borrow(let until) = request.operation {
          return lend(&held, of: identity, until: until, at: now)
        }
        renew(&held, of: identity, at: now)
        return "renewed"
      }
      if held.isLent(at: now) || held.isAssigned && objection != .licenseExpired { return objection.rawValue }
    }
    return claim(request, at: now)
  }

  private mutating func release(_ identity: Key<Identity>, _ held: Hold?) {
    if var held, held.isAssigned {
      held.lentUntil = nil
      holds[identity] = held
    } else {
      holds[identity] = nil
    }
  }

  private mutating func renew(_ held: inout Hold, of identity: Key<Identity>, at now: Instant) {
    if let expiresAt = held.expiresAt, let terms = licenses[held.license]?.terms {
      held.expiresAt = max(expiresAt, terms.leaseEnd(from: now))
    }
    holds[identity] = held
  }

  private mutating func lend(
    _ held: inout Hold, of identity: Key<Identity>, until: Instant, at now: Instant
  ) -> String {
    if let objection = licenses[held.license]?.objection(toLendingUntil: until, at: now) {
      return objection.rawValue
    }
    if !held.isLent(at: now), held.isOverdraft || lendable(held.license, at: now) == 0 {
      return SeatRefusal.Reason.noSeatAvailable.rawValue
    }
    held.lentUntil = max(held.lentUntil ?? until, until)
    if let expiresAt = held.expiresAt { held.expiresAt = max(expiresAt, until) }
    holds[identity] = held
    return "renewed"
  }

  private mutating func claim(_ request: SeatRequest, at now: Instant) -> String {
    let candidates = order.sorted { (licenses[$0]?.end ?? .distant) < (licenses[$1]?.end ?? .distant) }
    func objection(_ license: Identifier) -> SeatRefusal.Reason? {
      licenses[license]?.objection(to: request, license: license, at: now)
    }
    let open = candidates.filter { objection($0) == nil }
    let until: Instant? = if case .borrow(let until) = request.operation { until } else { nil }
    func spare(_ license: Identifier, isKept: Bool) -> Bool? {
      let room = room(license, isKept: isKept, at: now)
      return until == nil ? room.first : room.first == false && lendable(license, at: now) > 0 ? false : nil
    }
    // What is kept for this identity, then plain seats, then overdraft.
    let mine = open.first {
      kept(of: $0, at: now).contains(request.identity)
        && held(of: $0, at: now) < licenses[$0]?.terms.limit(at: now) ?? 0
    }
    if let mine, let isOverdraft = spare(mine, isKept: true) {
      grant(mine, to: request.identity, isOverdraft: isOverdraft, isAssigned: nil, until: until, at: now)
      return "granted"
    }
    for isOverdraft in [false, true] {
      for license in open where spare(license, isKept: false) == isOverdraft {
        grant(license, to: request.identity, isOverdraft: isOverdraft, isAssigned: nil, until: until, at: now)
        return "granted"
      }
    }
    let reasons = candidates.map { objection($0) ?? .noSeatAvailable }
    return (SeatRefusal.Reason.allCases.first(where: reasons.contains) ?? .licenseRequired).rawValue
  }

  mutating func grant(
    _ license: Identifier, to identity: Key<Identity>, isOverdraft: Bool, isAssigned: Bool?, until: Instant?,
    at now: Instant
  ) {
    guard let entry = licenses[license] else { return }
    clock += 1
    let isAssigned = isAssigned ?? (entry.model == .named)
    let end = max(entry.terms.leaseEnd(from: now), until ?? now)
    holds[identity] = Hold(
      license: license, isAssigned: isAssigned, isOverdraft: isOverdraft, generation: clock,
      expiresAt: isAssigned ? nil : end, lentUntil: until)
  }
}
