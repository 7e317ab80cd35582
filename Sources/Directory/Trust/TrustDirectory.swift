internal import Cryptography
public import Issuance
public import Licensing
internal import PKIX
internal import Reactor
internal import Synchronization

/// Whom this server trusts, in memory: organizations and their authorities whole, identities and certificates as far
/// as someone connected with them.
///
/// It is read by every handshake and written by the change feed alone. Entries are objects that live as long as the
/// server, so whoever holds one sees every later change of it.
public final class TrustDirectory: Sendable {
  fileprivate struct State {
    var organizations: [Key<Organization>: OrganizationEntry] = [:]
    var authorities: [Key<Authority>: AuthorityEntry] = [:]
    var map = TrustMap([])
    var identities: [Key<Identity>: Weak<IdentityEntry>] = [:]
    var certificates: [Key<CertificateRecord>: [Weak<DevicePeer>]] = [:]
    /// By certificate; more than one where several authorities vouch for it, or one through several CAs: whoever has
    /// merely seen a certificate can make the server judge it, and must not choose the chain for its owner.
    var peers: [SHA256Digest: [Weak<DevicePeer>]] = [:]
    /// What is kept although no connection needs it now.
    var kept: [SHA256Digest: DevicePeer] = [:]
    /// Counts the changes of identities and certificates that were heard of.
    var epoch: UInt64 = 0
  }

  /// A change must reach whatever a connection still holds, kept or not; so the registries are weak.
  fileprivate struct Weak<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?
  }

  private let state = Lock(State())
  private let mapGeneration = Generation()
  private let hasHosts = Atomic(false)
  private let peerCapacity: Int

  /// What a kept certificate takes at most, with whom it speaks for: measured (`PeerMemoryTests`).
  static let bytesPerPeer = 8 * 1024

  /// Verified certificates are kept in so many bytes.
  public init(peerMemory: Int = 512 << 20) { peerCapacity = max(1, peerMemory / Self.bytesPerPeer) }

  // MARK: Reading

  /// The peers of a certificate that was verified before.
  func peers(of fingerprint: SHA256Digest) -> [DevicePeer] {
    state.withLock { $0.peers[fingerprint] ?? [] }.compactMap(\.object)
  }

  /// The authorities as they are now: immutable, so that searching it needs no lock.
  var map: TrustMap { state.withLock { $0.map } }

  /// Who vouches for a certificate; nil when nobody does.
  func judge(_ leaf: Certificate, presented: [Certificate], at seconds: Int64) -> TrustProof? {
    try? ChainJudge(map: map).judge(leaf, presented: presented, at: seconds)
  }

  /// The authority with this key, if it is proven.
  public func authority(_ key: Key<Authority>) -> AuthorityEntry? { state.withLock { $0.authorities[key] } }

  public func organization(_ key: Key<Organization>) -> OrganizationEntry? {
    state.withLock { $0.organizations[key] }
  }

  /// Whether a host name, in small letters, belongs to one organization alone.
  public func isReserved(host: @autoclosure () -> String?) -> Bool {
    guard hasHosts.load(ordering: .acquiring), let host = host() else { return false }
    return map.owner(ofHost: host) != nil
  }

  /// Whether an organization's devices are served under a host name, in small letters: its own, or one that is nobody's.
  public func serves(_ organization: OrganizationEntry, under host: @autoclosure () -> String?) -> Bool {
    guard hasHosts.load(ordering: .acquiring), let host = host(), let owner = map.owner(ofHost: host) else {
      return true
    }
    return owner === organization
  }

  /// What must not have changed between reading the database and `recognize`.
  var epoch: UInt64 { state.withLock { $0.epoch } }

  /// Notes that an identity changed; whether some peer in memory depends on it, so that it must be read again.
  public func heard(ofIdentity key: Key<Identity>) -> Bool {
    state.withLock { state in
      state.epoch += 1
      return state.identities[key]?.object != nil
    }
  }

  /// Notes that a certificate changed, which must be read again.
  public func heardOfCertificate() { state.withLock { $0.epoch += 1 } }

  /// Notes that an authority changed; the CAs under it that lists may name now, or no longer.
  public func heard(ofAuthority key: Key<Authority>) -> [Issuer] {
    state.withLock { state in
      state.epoch += 1
      return state.authorities[key]
    }?.issuers.all ?? []
  }

  /// The CAs in memory that lists may name.
  public var issuers: [(authority: Key<Authority>, issuers: [Issuer])] {
    state.withLock { Array($0.authorities.values) }.map { ($0.key, $0.issuers.all) }
  }

  /// Whom a certificate in memory speaks for.
  public func holder(ofCertificate key: Key<CertificateRecord>) -> Key<Identity>? {
    state.withLock { $0.certificates[key]?.lazy.compactMap(\.object).first }?.recognized?.identity.key
  }

  /// What was recognized, for reading again after the change feed was lost.
  public var recognized: (identities: [TenantKey<Identity>], certificates: [TenantKey<CertificateRecord>]) {
    state.withLock { state in
      let certificates = state.certificates.compactMap { key, peers in
        peers.lazy.compactMap(\.object).first.map { TenantKey($0.organization.key, key) }
      }
      let identities = state.identities.compactMap { key, entry in
        entry.object.map { TenantKey($0.organization, key) }
      }
      return (identities, certificates)
    }
  }

  // MARK: Verified peers

  /// The one object for a certificate that an authority was proven to vouch for.
  func admit(_ certificate: Certificate, proven proof: TrustProof) -> DevicePeer {
    state.withLock { state in
      let fingerprint = certificate.fingerprint
      let known = (state.peers[fingerprint] ?? []).compactMap(\.object)
      if let peer = known.first(where: { $0.isBelieved(as: proof) }) {
        peer.prove(by: proof)
        state.keep(peer, atMost: peerCapacity)
        return peer
      }
      let peer = DevicePeer(certificate, proven: proof, in: self, map: mapGeneration)
      state.peers[fingerprint] = (known + [peer]).map { Weak(object: $0) }
      state.keep(peer, atMost: peerCapacity)
      return peer
    }
  }

  /// Notes whom a peer's certificate speaks for, as the database stated it after `epoch` was read.
  ///
  /// False, and nothing done, when a change was heard of since, for the statement may be older than that, or when the
  /// certificate is believed through other CAs by now.
  func recognize(
    _ peer: DevicePeer, through issuers: [Issuer], as standing: CertificateStanding, rules: Int64,
    epoch: UInt64
  ) -> Bool {
    state.withLock { state in
      guard state.epoch == epoch else { return false }
      let entry = state.entry(for: standing.identity)
      let recognition = DevicePeer.Recognition(
        identity: entry, certificate: standing.certificate, rules: rules)
      guard peer.recognize(recognition, through: issuers) else { return false }
      peer.standing.find(standing.status == .active ? .good : .revoked)
      let others = (state.certificates[standing.certificate] ?? []).filter {
        $0.object != nil && $0.object !== peer
      }
      state.certificates[standing.certificate] = others + [Weak(object: peer)]
      return true
    }
  }

  /// Takes over what lists say of CAs, as the database stated it after `epoch` was read.
  ///
  /// False, and nothing done, when a change was heard of since: the statement may be older than that.
  func take(_ listings: [Listing], of issuers: [Issuer], under authority: AuthorityEntry, epoch: UInt64)
    -> Bool
  {
    state.withLock { state in
      guard state.epoch == epoch else { return false }
      authority.issuers.take(listings, of: issuers)
      return true
    }
  }

  // MARK: Changes

  /// Takes over what the database says of all organizations.
  public func replace(with snapshot: TrustSnapshot) {
    change { state in
      state.epoch += 1
      let present = Set(snapshot.organizations.map(\.organization.record.key))
      var isNews = false
      for (key, entry) in state.organizations where !present.contains(key) {
        isNews = isNews || entry.standing.state != .deleted
        entry.standing.state = .deleted
      }
      for trust in snapshot.organizations { isNews = state.take(trust) || isNews }
      let there = snapshot.organizations.flatMap(\.authorities)
      return state.bury(state.authorities.values, except: there) || isNews
    }
  }

  /// Takes over what the database says of one organization.
  public func apply(_ trust: OrganizationTrust) {
    change { state in
      let isNews = state.take(trust)
      let own = state.authorities.values.filter { $0.organization.key == trust.organization.record.key }
      return state.bury(own, except: trust.authorities) || isNews
    }
  }

  /// Looks authorities up anew if `body` says that they changed.
  private func change(_ body: (inout State) -> Bool) {
    state.withLock { state in
      guard body(&state) else { return }
      // First the map, then its number: whoever reads the new number judges by the new map.
      state.map = TrustMap(
        state.authorities.values, of: state.organizations.values, generation: mapGeneration.value + 1)
      hasHosts.store(state.map.hasHosts, ordering: .releasing)
      mapGeneration.advance()
    }
  }

  /// Takes over an identity that may have changed; nil stands for one that is gone without a trace.
  public func apply(_ identity: Identity?, key: Key<Identity>) {
    state.withLock { state in
      guard let entry = state.identities[key]?.object else { return }
      if let identity { entry.update(identity) } else { entry.standing.state = .deleted }
    }
  }

  /// Takes over what the lists of an authority say of CAs under it.
  public func apply(_ listings: [Listing], of issuers: [Issuer], under authority: Key<Authority>) {
    self.authority(authority)?.issuers.take(listings, of: issuers)
  }

  /// Takes over the status of a certificate, also where somebody has connected with it and has asked for nothing yet.
  public func apply(_ stored: StoredStatus) {
    guard let fingerprint = SHA256Digest(bytes: stored.fingerprint) else { return }
    state.withLock { state in
      for peer in (state.peers[fingerprint] ?? []).compactMap(\.object)
      where peer.authority.key == stored.authority {
        peer.standing.state = stored.status == .active ? .good : .revoked
      }
    }
  }

  /// Takes over that the database has nothing of a certificate any more.
  public func bury(_ certificate: Key<CertificateRecord>) {
    state.withLock { state in
      for peer in state.certificates[certificate] ?? [] { peer.object?.standing.state = .revoked }
    }
  }
}

extension TrustDirectory.State {
  fileprivate mutating func entry(for identity: Identity) -> IdentityEntry {
    if let known = identities[identity.record.key]?.object {
      known.update(identity)
      return known
    }
    let entry = IdentityEntry(identity)
    identities[identity.record.key] = TrustDirectory.Weak(object: entry)
    return entry
  }

  /// Whether anything changed that decides whom a certificate belongs to.
  fileprivate mutating func take(_ trust: OrganizationTrust) -> Bool {
    var isNews = false
    let organization: OrganizationEntry
    if let known = organizations[trust.organization.record.key] {
      isNews = known.update(trust.organization)
      organization = known
    } else {
      organization = OrganizationEntry(trust.organization)
      organizations[trust.organization.record.key] = organization
    }
    for authority in trust.authorities where authority.status != .pending {
      if let known = authorities[authority.record.key] {
        isNews = known.update(authority) || isNews
      } else if let der = authority.certificate, let anchor = try? Certificate(der: der),
        let entry = try? AuthorityEntry(authority, anchor: anchor, of: organization)
      {
        authorities[authority.record.key] = entry
        isNews = true
      }
    }
    return isNews
  }

  /// Whether it is news that of these authorities the database has nothing any more.
  fileprivate func bury(_ entries: some Sequence<AuthorityEntry>, except present: [Authority]) -> Bool {
    let present = Set(present.map(\.record.key))
    return entries.reduce(false) { isNews, entry in
      present.contains(entry.key) ? isNews : entry.bury() || isNews
    }
  }

  /// A certificate that is not kept, and that no connection holds, is verified again at its next handshake.
  fileprivate mutating func keep(_ peer: DevicePeer, atMost capacity: Int) {
    if kept.count >= capacity, kept[peer.certificate.fingerprint] == nil {
      for fingerprint in kept.keys.prefix(capacity / 8 + 1) { kept[fingerprint] = nil }
      peers = peers.filter { $0.value.contains { $0.object != nil } }
      certificates = certificates.filter { $0.value.contains { $0.object != nil } }
      identities = identities.filter { $0.value.object != nil }
    }
    kept[peer.certificate.fingerprint] = peer
  }
}
