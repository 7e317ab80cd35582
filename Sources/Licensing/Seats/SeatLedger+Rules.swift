/// What a license has against a request. A new rule about whom it takes belongs here, and into `license_objection`.
extension SeatLedger.Terms {
  var end: Instant { terms.expiresAt ?? .distant }

  /// Why nobody may use the license now.
  func objection(at now: Instant) -> SeatRefusal.Reason? {
    if status == .suspended { return .licenseSuspended }
    if let end = terms.expiresAt, end <= now { return .licenseExpired }
    if let start = terms.startsAt, start > now { return .licenseNotStarted }
    return nil
  }

  func objection(toLendingUntil until: Instant, at now: Instant) -> SeatRefusal.Reason? {
    if terms.maxBorrowSeconds == 0 { return .borrowNotPermitted }
    let isInRange = until > now && until <= now.adding(seconds: Int64(terms.maxBorrowSeconds)) && until <= end
    return isInRange ? nil : .borrowOutOfRange
  }

  /// What the license has against a newcomer's request, other than that it is full.
  func objection(
    to request: SeatRequest, license: Identifier, at now: Instant
  ) -> SeatRefusal.Reason? {
    if let wanted = request.wish.license, wanted != license { return .licenseRequired }
    if request.wish.features.contains(where: { features[$0] ?? .flag(false) == .flag(false) }) {
      return .licenseRequired
    }
    if let objection = objection(at: now) { return objection }
    if model == .named, terms.assignment == .manual { return .seatNotAssigned }
    if case .borrow(let until) = request.operation { return objection(toLendingUntil: until, at: now) }
    return nil
  }
}

extension LicenseTerms {
  func leaseEnd(from now: Instant) -> Instant {
    let end = now.adding(seconds: Int64(leaseSeconds))
    return expiresAt.map { min($0, end) } ?? end
  }
}

extension Instant {
  static let distant = Instant(microseconds: .max)
}
