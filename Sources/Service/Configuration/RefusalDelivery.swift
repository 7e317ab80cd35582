/// How a certificate that a known authority signed, but that is not good now, is refused.
public enum RefusalDelivery: String, Sendable, CaseIterable {
  /// The handshake completes, and every request is answered by a problem that the app can read.
  case tell
  /// The handshake fails with a TLS alert.
  case alert
}
