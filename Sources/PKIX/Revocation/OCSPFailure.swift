internal import Cryptography

/// Why there is no answer (RFC 6960 section 4.2.1); such a response is not signed.
public enum OCSPFailure: UInt8, Error, Sendable, Hashable, CaseIterable {
  case malformedRequest = 1
  case internalError = 2
  case tryLater = 3
  /// The responder cannot answer for this authority (RFC 5019 section 2.2.3).
  case unauthorized = 6

  /// The OCSPResponse in DER.
  public var der: [UInt8] { DER.sequence(DER.enumerated(rawValue)) }
}
