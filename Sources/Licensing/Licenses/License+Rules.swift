extension LicenseTerms {
  /// The most seats that may be in use at once, as of `time` by the database's clock.
  public func limit(at time: Instant) -> Int64 {
    let isOver = overdraftUntil.map { $0 <= time } ?? false
    return Int64(seats) + (isOver ? 0 : Int64(overdraft))
  }

  public func hasEnded(at time: Instant) -> Bool { expiresAt.map { $0 <= time } ?? false }

  /// Whether the license ends after it starts.
  public var isOrdered: Bool {
    guard let startsAt, let expiresAt else { return true }
    return startsAt < expiresAt
  }
}

extension License {
  /// Whether `terms` leave less room than is held or reserved, because they lower the limit of `time` or bring an ended
  /// license back: then only draining may bring the license there.
  public func strandsHolders(under terms: LicenseTerms, at time: Instant) -> Bool {
    let limit = terms.limit(at: time)
    let returning = terms.hasEnded(at: time) ? 0 : usage.dormant
    return limit < usage.held + usage.reserved + returning
      && (limit < self.terms.limit(at: time) || returning > 0)
  }

  /// Whether nobody would lose a seat with it.
  public var isDeletable: Bool { usage.held == 0 }
}
