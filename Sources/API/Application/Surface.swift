/// What a listener is for; it may have several roles (docs: the HTTP contract, "Surfaces").
public enum Surface: String, Sendable, Hashable, CaseIterable {
  /// Client apps, by certificate.
  case device
  /// Operators, org admins and viewers, by bearer token.
  case admin
  /// Devices that have no certificate yet, by enrollment token.
  case enroll
  /// CA certificates, CRLs and OCSP, for anyone.
  case `public`
  /// Probes and metrics, on the machine itself.
  case ops
}
