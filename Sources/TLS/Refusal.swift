public import PKIX

/// Why a peer's certificate was refused by an alert, and whose it claimed to be.
public struct Refusal: Error, Sendable {
  /// What the peer is told.
  public let alert: Alert
  /// The reason in words, one of a fixed set: refusals are counted by it.
  public let reason: StaticString
  /// The presented certificate; nil where there was none to read.
  public let certificate: Certificate?

  /// A refusal of `certificate`.
  public init(_ alert: Alert, _ reason: StaticString, of certificate: Certificate? = nil) {
    self.alert = alert
    self.reason = reason
    self.certificate = certificate
  }

  /// The presented subject, escaped for a log. Made when asked for: of most refusals nobody asks.
  public var subject: String? { certificate.map { "\($0.subject)" } }

  /// The presented issuer, escaped for a log.
  public var issuer: String? { certificate.map { "\($0.issuer)" } }
}
