extension LicenseTerms {
  /// The most seats that may be in use at once.
  public var limit: Int64 { Int64(seats) + Int64(overdraft) }

  /// Whether the license ends after it starts.
  public var isOrdered: Bool {
    guard let startsAt, let expiresAt else { return true }
    return startsAt < expiresAt
  }
}

extension License {
  /// Whether `terms` lower the limit below what is held now: then only draining may bring the license there.
  public func strandsHolders(under terms: LicenseTerms) -> Bool {
    terms.limit < self.terms.limit && terms.limit < usage.held
  }

  /// Whether nobody would lose a seat with it.
  public var isDeletable: Bool { usage.held == 0 }
}
