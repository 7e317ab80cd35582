/// What a listener is for (the surfaces of the API).
public enum ListenerRole: String, Sendable, CaseIterable {
  /// Client apps, by client certificate.
  case device
  /// Operators and the admins of organizations, by bearer token.
  case admin
  /// Devices without a certificate, by enrollment token.
  case enroll
  /// Anyone: CA certificates, CRLs, OCSP.
  case `public`
  /// Health and metrics, on this machine only.
  case ops

  var needsTLS: Bool {
    switch self {
    case .device, .admin, .enroll: true
    case .public, .ops: false
    }
  }
}
