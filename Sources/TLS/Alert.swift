internal import COpenSSL

/// The TLS alerts that speak of a certificate (RFC 8446 section 6.2; RFC 5246 section 7.2.2 has the same numbers).
public enum Alert: UInt8, Sendable, Hashable, CaseIterable {
  /// 40: what TLS 1.2 says when no certificate came.
  case handshakeFailure = 40
  /// 42: corrupt, a wrong signature, or any fault without an alert of its own.
  case badCertificate = 42
  /// 43: a type or purpose that is not accepted.
  case unsupportedCertificate = 43
  /// 44: revoked by its signer.
  case certificateRevoked = 44
  /// 45: expired.
  case certificateExpired = 45
  /// 46: some other reason.
  case certificateUnknown = 46
  /// 48: no known authority signed it.
  case unknownAuthority = 48
  /// 49: valid, and not permitted.
  case accessDenied = 49
  /// 50: unparsable.
  case decodeError = 50
  /// 51: a signature of the handshake is wrong.
  case decryptError = 51
  /// 80: a fault of the side that sends it.
  case internalError = 80
  /// 116: no certificate came (TLS 1.3).
  case certificateRequired = 116

  /// The verification result of which OpenSSL makes this alert (`ssl_x509err2alert`).
  ///
  /// The few alerts that no result leads to are sent as `bad_certificate`.
  var verifyError: Int32 {
    switch self {
    case .handshakeFailure: X509_V_ERR_APPLICATION_VERIFICATION
    case .unsupportedCertificate: X509_V_ERR_INVALID_PURPOSE
    case .certificateRevoked: X509_V_ERR_CERT_REVOKED
    case .certificateExpired: X509_V_ERR_CERT_HAS_EXPIRED
    case .certificateUnknown: X509_V_ERR_PERMITTED_VIOLATION
    case .unknownAuthority: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
    case .decryptError: X509_V_ERR_CERT_SIGNATURE_FAILURE
    case .internalError: X509_V_ERR_UNSPECIFIED
    case .badCertificate, .accessDenied, .decodeError, .certificateRequired: X509_V_ERR_CERT_REJECTED
    }
  }
}
