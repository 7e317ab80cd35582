internal import Cryptography

/// Why certificate, key and settings do not make a context, in words for whoever configures it.
public struct TLSConfigurationError: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }

  init(_ error: OpenSSLError) { description = "\(error)" }
}
