public import Licensing

extension Enrollment {
  public enum Status: String, Sendable, CaseIterable {
    case open, spent, expired, revoked
  }

  /// Whether it gives certificates at this moment; `revoked` goes before `spent`, and that before `expired`.
  public func status(at now: Instant) -> Status {
    if isRevoked { return .revoked }
    if used >= uses { return .spent }
    return expiresAt <= now ? .expired : .open
  }
}
