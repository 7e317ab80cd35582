public import Cryptography

/// The authority whose certificates a responder answers about, as requests name it.
public struct OCSPIssuer: Sendable {
  private let name: [UInt8]
  private let key: [UInt8]
  private let hashes: [DigestAlgorithm: (name: [UInt8], key: [UInt8])]

  public init(_ authority: Certificate) throws(OpenSSLError) {
    name = authority.subject.der
    key = try authority.publicKey?.keyBits() ?? []
    var hashes: [DigestAlgorithm: (name: [UInt8], key: [UInt8])] = [:]
    for algorithm in [DigestAlgorithm.sha1, .sha256, .sha384, .sha512] {
      hashes[algorithm] = (try algorithm.hash(name), try algorithm.hash(key))
    }
    self.hashes = hashes
  }

  /// Whether the request means a certificate of this authority: both its name and its key.
  public func issued(_ id: OCSPRequest.CertificateID) -> Bool {
    guard let hash = id.hash, let own = hashes[hash] else { return false }
    return own.name == id.issuerNameHash && own.key == id.issuerKeyHash
  }
}
