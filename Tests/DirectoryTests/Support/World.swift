import Cryptography
import Fixtures
import Issuance
import Licensing
import PKIX
import TLS

@testable import Directory

/// What a server believes, as the database tells it: organizations by number, their authorities by number in the order
/// of registration.
final class World {
  let directory = TrustDirectory()
  private var organizations: [Int64: Organization] = [:]
  private var authorities: [Int64: [Authority]] = [:]
  private var revision: Int64 = 0
  /// What the clock says, seconds since 1970.
  var now = TestClock.now

  func organize(_ key: Int64, _ status: Organization.Status = .active, hostname: String? = nil) {
    organizations[key] = Organization(
      record: record(key), slug: Slug("org-\(key)")!, name: "\(key)", status: status, contactURL: nil,
      hostname: hostname, renewAfterExpirySeconds: 60)
    tell(key)
  }

  /// Registers an authority that is proven unless `status` says otherwise, or changes the one with this number.
  func register(
    _ key: Int64, _ authority: TestAuthority, of organization: Int64, _ status: Authority.Status = .active,
    knowing intermediates: [TestAuthority] = [], proof: Certificate? = nil
  ) {
    if organizations[organization] == nil { organize(organization) }
    let entry = Authority(
      record: record(key), organization: Key(organization), kind: .external, status: status, name: nil,
      keyType: nil, certificate: authority.certificate.der,
      intermediates: intermediates.map(\.certificate.der), sealedKey: nil, group: "\(key)",
      mapping: [MappingRule(field: .sanURI)], match: nil, autoProvision: true, challenge: nil,
      challengeExpiresAt: nil, proofFingerprint: proof?.fingerprint.bytes, warnings: [])
    authorities[organization, default: []].removeAll { $0.record.key == Key(key) }
    authorities[organization, default: []].append(entry)
    tell(organization)
  }

  /// The database has nothing of an authority any more.
  func forget(_ key: Int64, of organization: Int64) {
    authorities[organization, default: []].removeAll { $0.record.key == Key(key) }
    tell(organization)
  }

  /// Everything is read anew, as after the change feed was lost.
  func readAnew(without missing: Int64? = nil) {
    let trust = organizations.filter { $0.key != missing }.map { key, organization in
      OrganizationTrust(organization: organization, authorities: authorities[key] ?? [])
    }
    directory.replace(
      with: TrustSnapshot(
        organizations: trust,
        cursor: ChangeCursor(transaction: 1, server: Instant(seconds: 0), at: Instant(seconds: 0))))
  }

  /// A full handshake: the peer, or the refusal.
  func connect(
    _ leaf: TestIdentity, _ presented: [TestAuthority] = [], host: String? = nil
  ) -> Result<DevicePeer, Refusal> {
    Result { () throws(Refusal) in
      try verifier.peer(
        of: leaf.certificate, presented: presented.map(\.certificate), under: host)
    }
  }

  /// The same in a word: `2/5` is authority 5 of organization 2, then what its device is told.
  func verdict(_ leaf: TestIdentity, _ presented: [TestAuthority] = [], host: String? = nil) -> String {
    switch connect(leaf, presented, host: host) {
    case .success(let peer): told(peer)
    case .failure(let refusal): "\(refusal.alert)"
    }
  }

  /// What a connection that exists is told at its next request.
  func told(_ peer: DevicePeer) -> String {
    let place = "\(peer.organization.key.rawValue)/\(peer.authority.key.rawValue)"
    return peer.refusal(at: now).map { "\(place) \($0.rawValue)" } ?? place
  }

  var verifier: DeviceVerifier { DeviceVerifier(directory: directory, clock: { [now] in now }) }

  private func tell(_ key: Int64) {
    guard let organization = organizations[key] else { return }
    directory.apply(OrganizationTrust(organization: organization, authorities: authorities[key] ?? []))
  }

  private func record<Entity>(_ key: Int64) -> Record<Entity> {
    revision += 1
    return Record(
      key: Key(key), id: Identifier(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 + UInt64(key)),
      externalID: nil, metadata: [:], createdAt: Instant(seconds: 0), updatedAt: Instant(seconds: 0),
      revision: revision)
  }
}
