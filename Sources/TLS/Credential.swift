internal import COpenSSL
public import Cryptography
public import PKIX

/// A certificate chain with the key of its first certificate: what one side of a handshake shows of itself.
public struct Credential: Sendable {
  /// The certificates, leaf first, each signed by the next.
  public let chain: [Certificate]
  /// The leaf's key.
  public let privateKey: PrivateKey

  /// Puts certificates and key together; throws where they do not belong together.
  public init(chain: [Certificate], privateKey: PrivateKey) throws(TLSConfigurationError) {
    guard let leaf = chain.first else { throw TLSConfigurationError("there is no certificate") }
    guard leaf.publicKey == privateKey.publicKey else {
      throw TLSConfigurationError("the private key is not the one of the certificate \(leaf.subject)")
    }
    for (certificate, issuer) in zip(chain, chain.dropFirst()) where certificate.issuer != issuer.subject {
      throw TLSConfigurationError(
        "the chain is out of order: \(certificate.subject) is followed by \(issuer.subject), but its issuer is "
          + "\(certificate.issuer)")
    }
    self.chain = chain
    self.privateKey = privateKey
  }

  /// Reads a PEM chain, leaf first, and an unencrypted PEM key.
  public init(chainPEM: [UInt8], privateKeyPEM: [UInt8]) throws(TLSConfigurationError) {
    let chain: [Certificate]
    do { chain = try Certificate.all(inPEM: chainPEM) } catch {
      throw TLSConfigurationError("the certificate cannot be read: \(error)")
    }
    let key: PrivateKey
    do { key = try PrivateKey(pem: privateKeyPEM) } catch {
      throw TLSConfigurationError("the private key cannot be read: \(error)")
    }
    try self.init(chain: chain, privateKey: key)
  }
}

extension Credential {
  /// Has one connection show it.
  func show(by ssl: OpaquePointer) throws(OpenSSLError) {
    for (index, certificate) in chain.enumerated() {
      try OpenSSLCall.positive(index == 0 ? "SSL_use_certificate" : "SSL_add1_chain_cert") {
        // SAFETY: the connection is alive for the call, and retains the certificate.
        unsafe certificate.withUnsafeX509 {
          unsafe index == 0 ? SSL_use_certificate(ssl, $0) : usher_tls_add_chain_of_one(ssl, $0)
        }
      }
    }
    try OpenSSLCall.positive("SSL_use_PrivateKey") {
      unsafe privateKey.withUnsafeKey { unsafe SSL_use_PrivateKey(ssl, $0) }
    }
  }
}
