public import PKIX

/// Why a peer's certificate was refused by an alert, and whose it claimed to be.
public struct Refusal: Error, Sendable {
  /// What the peer is told.
  public let alert: Alert
  /// The reason in words, one of a fixed set: refusals are counted by it.
  public let reason: StaticString
  /// The presented subject, escaped for a log; nil where there was none to read.
  public let subject: String?
  /// The presented issuer, escaped for a log; nil where there was none to read.
  public let issuer: String?

  /// A refusal of `certificate`.
  public init(_ alert: Alert, _ reason: StaticString, of certificate: Certificate? = nil) {
    self.alert = alert
    self.reason = reason
    subject = certificate.map { "\($0.subject)" }
    issuer = certificate.map { "\($0.issuer)" }
  }
}
