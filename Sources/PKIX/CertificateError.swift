public import Cryptography

/// Why bytes are no certificate, or a part of a certificate cannot be read.
public enum CertificateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Not DER of a certificate, or bytes are left over after it.
  case unparsable(OpenSSLError)
  /// A field or an extension that is there but cannot be read, or is there twice; it is never treated as absent.
  case malformed(String)
  /// A PEM text that holds no certificate, or one that is no PEM.
  case notPEM(String)

  public var description: String {
    switch self {
    case .unparsable(let error): "not a certificate: \(error)"
    case .malformed(let part): "the certificate's \(part) cannot be read"
    case .notPEM(let reason): reason
    }
  }
}
