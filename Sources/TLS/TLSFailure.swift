/// Why a TLS connection is over.
public enum TLSFailure: Error, Sendable, CustomStringConvertible {
  /// We refused the peer's certificate; the alert was sent.
  case refused(Refusal)
  /// We do not believe the server's certificate, for this reason; the alert was sent.
  case untrusted(String)
  /// The peer refused ours, or something about it.
  case alertReceived(Alert)
  /// TLS itself failed (a version, a suite, framing, another alert); an alert was sent where the protocol has one.
  case protocolError(String)
  /// The transport ended without close_notify.
  case truncated
  /// The transport failed with this `errno`.
  case transport(Int32)

  /// Whether an alert of ours may still be on its way: shut the writing side and drain before closing, or a reset
  /// overtakes it.
  public var sendsAlert: Bool {
    switch self {
    case .refused, .untrusted, .protocolError: true
    case .alertReceived, .truncated, .transport: false
    }
  }

  public var description: String {
    switch self {
    case .refused(let refusal): "refused the peer's certificate (\(refusal.alert)): \(refusal.reason)"
    case .untrusted(let reason): "the server's certificate is not trusted: \(reason)"
    case .alertReceived(let alert): "the peer sent the alert \(alert)"
    case .protocolError(let reason): "TLS failed: \(reason)"
    case .truncated: "the connection ended without close_notify"
    case .transport(let number): "the connection failed: error \(number)"
    }
  }
}
