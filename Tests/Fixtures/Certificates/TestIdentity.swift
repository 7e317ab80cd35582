public import Cryptography
public import PKIX

/// A certificate with its private key.
public struct TestIdentity: Sendable {
  public let certificate: Certificate
  public let key: PrivateKey

  public init(certificate: Certificate, key: PrivateKey) {
    self.certificate = certificate
    self.key = key
  }
}
