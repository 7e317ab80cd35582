internal import Cryptography
package import PKIX
internal import TLS

/// The CA of one organization of a run. Its key lives in memory, as long as the run.
package struct LoadAuthority: Sendable {
  private let authority: IssuingAuthority
  /// Which of the run's organizations trusts it.
  private let organization: Int
  private let now: Int64

  package init(organization: Int, at now: Int64) throws(LoadFailure) {
    do {
      authority = try .root(
        RootProfile(commonName: "Load Test CA \(organization)", permittedURIHost: nil),
        signer: PrivateKey(generating: .p256), at: now)
    } catch { throw LoadFailure("a CA cannot be made: \(error)") }
    self.organization = organization
    self.now = now
  }

  package var certificate: Certificate { authority.certificate }

  /// A device's certificate for a key. With `sendsAuthority` the device shows the CA's certificate too.
  func identity(
    _ number: Int, key: PrivateKey, sendsAuthority: Bool
  ) throws -> LoadIdentity {
    let request = try CertificationRequest.make(commonName: "device-\(number)", signer: key)
    let leaf = try authority.issue(
      LeafProfile(
        commonName: "device-\(number)", uri: "urn:usher-bench:\(organization):\(number)", lifetime: 86_400 * 7
      ),
      to: CertificationRequest(request).verified(), at: now)
    let chain = sendsAuthority ? [leaf, authority.certificate] : [leaf]
    return LoadIdentity(
      credential: try Credential(chain: chain, privateKey: key), organization: organization)
  }
}
