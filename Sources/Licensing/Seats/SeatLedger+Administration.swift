/// What admins and operators do.
extension SeatLedger {
  /// Adds a license, or gives one that is there new terms (a shrink drains).
  public mutating func set(_ license: Identifier, _ terms: Terms) {
    if licenses.updateValue(terms, forKey: license) == nil { order.append(license) }
  }

  public mutating func set(_ identity: Key<Identity>, isSuspended: Bool) {
    if isSuspended { suspended.insert(identity) } else { suspended.remove(identity) }
  }

  /// Whether there was room for these reservations; if not, nothing was done.
  public mutating func reserve(_ identities: Set<Key<Identity>>, of license: Identifier, at now: Instant)
    -> Bool
  {
    let before = (reservations[license], cooling[license])
    let known = kept(of: license, at: now)
    reservations[license] = identities
    for identity in identities { cooling[license]?[identity] = nil }
    let grows = identities.contains { !known.contains($0) && live($0, of: license, at: now) == nil }
    if grows, used(license, at: now) > Int64(licenses[license]?.terms.seats ?? 0) {
      (reservations[license], cooling[license]) = before
      return false
    }
    return true
  }

  /// The words of `SeatRefusal.Reason`, `assigned` or `already`.
  public mutating func assign(_ license: Identifier, to identity: Key<Identity>, at now: Instant) -> String {
    guard let terms = licenses[license], terms.objection(at: now) != .licenseExpired else {
      return SeatRefusal.Reason.licenseExpired.rawValue
    }
    let held = live(identity, at: now)
    if var held, held.license == license {
      if held.isAssigned { return "already" }
      (held.isAssigned, held.isAtRisk, held.expiresAt) = (true, false, nil)
      holds[identity] = held
    } else if held?.isLent(at: now) == true {
      return SeatRefusal.Reason.seatBorrowed.rawValue
    } else {
      let isKept = kept(of: license, at: now).contains(identity)
      guard let isOverdraft = room(license, isKept: isKept, at: now).first else {
        return SeatRefusal.Reason.noSeatAvailable.rawValue
      }
      grant(license, to: identity, isOverdraft: isOverdraft, isAssigned: true, until: nil, at: now)
    }
    blocks[identity] = nil
    return "assigned"
  }

  public mutating func free(
    _ license: Identifier, of identity: Key<Identity>, blockSeconds: Int64, isForced: Bool, at now: Instant
  ) -> FreeOutcome {
    let held = live(identity, of: license, at: now)
    if let held, held.isLent(at: now), !isForced, let until = held.lentUntil {
      return .borrowed(until: until)
    }
    if blockSeconds > 0 { blocks[identity] = now.adding(seconds: blockSeconds) }
    guard var held else { return .nothingHeld }
    if held.isLent(at: now) {
      if held.isAtRisk { return .nothingHeld }
      (held.isAssigned, held.isAtRisk, held.expiresAt) = (false, true, held.lentUntil)
      holds[identity] = held
      return .freed
    }
    holds[identity] = nil
    if held.isAssigned, let terms = licenses[license]?.terms, terms.reassignSeconds > 0,
      reservations[license]?.contains(identity) != true, used(license, at: now) < terms.limit(at: now)
    {
      cooling[license, default: [:]][identity] = now.adding(seconds: Int64(terms.reassignSeconds))
    }
    return .freed
  }
}
