import Fixtures
import Issuance
import Licensing
import PKIX

@testable import API
@testable import Directory

/// A device whose certificate is known, without a database to have told so.
enum Peers {
  static let device = try! makeDevice()

  /// One of one's own, to be withdrawn.
  static func makeDevice() throws -> DeviceCaller {
    // It outlives every leaf, so that an expired one is judged by its own time.
    let root = try TestAuthority.root { $0.notAfter = TestClock.now + 10 * 365 * 86_400 }
    let organization = OrganizationEntry(Samples.organization)
    let authority = try AuthorityEntry(
      Authority(
        record: Samples.record(), organization: organization.key, kind: .managed, status: .active, name: nil,
        keyType: "P-256", certificate: root.certificate.der, intermediates: [], sealedKey: nil, group: "g",
        mapping: [],
        match: nil, autoProvision: false, challenge: nil, challengeExpiresAt: nil, proofFingerprint: nil,
        warnings: []),
      anchor: root.certificate, of: organization)
    let (leaf, map) = (try root.leaf().certificate, TrustMap([authority]))
    let proof = try ChainJudge(map: map).judge(leaf, presented: [], at: TestClock.now)
    let peer = DevicePeer(leaf, proven: proof, in: nil, map: Generation())
    let identity = Identity(
      record: Samples.record(7), organization: organization.key, name: .example, role: .device,
      attributes: [:], status: .active, external: nil)
    _ = peer.recognize(.init(identity: IdentityEntry(identity), certificate: Key(1), rules: 1))
    return DeviceCaller(peer)!
  }
}
