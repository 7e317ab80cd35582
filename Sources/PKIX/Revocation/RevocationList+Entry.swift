extension RevocationList {
  /// One revoked certificate (RFC 5280 section 5.3).
  public struct Entry: Sendable, Hashable {
    /// Whose certificate it is.
    public let serialNumber: SerialNumber
    /// Since when, in seconds since 1970.
    public let revokedAt: Int64
    /// Why; `unspecified` when the list does not say.
    public let reason: Reason

    /// An entry.
    public init(serialNumber: SerialNumber, revokedAt: Int64, reason: Reason = .unspecified) {
      self.serialNumber = serialNumber
      self.revokedAt = revokedAt
      self.reason = reason
    }
  }

  /// The reasons of RFC 5280 section 5.3.1 that a complete list can state; `removeFromCRL` is for delta lists.
  public enum Reason: Int, Sendable, Hashable, CaseIterable {
    case unspecified = 0
    case keyCompromise = 1
    case caCompromise = 2
    case affiliationChanged = 3
    case superseded = 4
    case cessationOfOperation = 5
    case certificateHold = 6
    case privilegeWithdrawn = 9
    case aaCompromise = 10
  }
}
