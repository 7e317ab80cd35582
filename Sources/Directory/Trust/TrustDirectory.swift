internal import Cryptography
public import Issuance
public import Licensing
internal import PKIX
internal import Reactor

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
    var certificates: [Key<CertificateRecord>: Weak<DevicePeer>] = [:]
    var peers: [SHA256Digest: Weak<DevicePeer>] = [:]
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
  private let peerCapacity: Int

  /// At most `peerCapacity` verified certificates are kept.
  public init(peerCapacity: Int = 200_000) { self.peerCapacity = peerCapacity }

  // MARK: Reading

  /// The peer of a certificate that was verified before.
  func peer(_ fingerprint: SHA256Digest) -> DevicePeer? { state.withLock { $0.peers[fingerprint]?.object } }

  func candidates(for leaf: Certificate, through intermediates: [Certificate]) -> [AuthorityEntry] {
    // The map is immutable: searching it needs no lock.
    state.withLock { $0.map }.candidates(for: leaf, through: intermediates)
  }

  /// The authority with this key, if it is proven.
  public func authority(_ key: Key<Authority>) -> AuthorityEntry? { state.withLock { $0.authorities[key] } }

  public func organization(_ key: Key<Organization>) -> OrganizationEntry? {
    state.withLock { $0.organizations[key] }
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

  /// Notes that a certificate changed; whether it is in memory, so that it must be read again.
  public func heard(ofCertificate key: Key<CertificateRecord>) -> Bool {
    state.withLock { state in
      state.epoch += 1
      return state.certificates[key]?.object != nil
    }
  }

  /// What was recognized, for reading again after the change feed was lost.
  public var recognized:
    (
      identities: [(organization: Key<Organization>, key: Key<Identity>)],
      certificates: [(organization: Key<Organization>, key: Key<CertificateRecord>)]
    )
  {
    state.withLock { state in
      let certificates = state.certificates.compactMap { key, peer in
        peer.object.map { (organization: $0.organization.key, key: key) }
      }
      let identities = state.identities.compactMap { key, entry in
        entry.object.map { (organization: $0.organization, key: key) }
      }
      return (identities, certificates)
    }
  }

  // MARK: Verified peers

  /// The one object for a certificate that `authority` vouches for.
  func admit(_ certificate: Certificate, by authority: AuthorityEntry) -> DevicePeer {
    state.withLock { state in
      let fingerprint = certificate.fingerprint
      if let known = state.peers[fingerprint]?.object, known.authority === authority {
        state.keep(known, atMost: peerCapacity)
        return known
      }
      let peer = DevicePeer(certificate, of: authority)
      state.peers[fingerprint] = Weak(object: peer)
      state.keep(peer, atMost: peerCapacity)
      return peer
    }
  }

  /// Notes whom a peer's certificate speaks for, as the database stated it after `epoch` was read.
  ///
  /// False, and nothing done, when a change was heard of since: the statement may be older than that.
  func recognize(_ peer: DevicePeer, as standing: CertificateStanding, rules: Int64, epoch: UInt64) -> Bool {
    state.withLock { state in
      guard state.epoch == epoch else { return false }
      let entry = state.entry(for: standing.identity)
      peer.recognize(entry, certificate: standing.certificate, rules: rules)
      peer.standing.state = standing.status == .active ? .good : .revoked
      state.certificates[standing.certificate] = Weak(object: peer)
      return true
    }
  }

  // MARK: Changes

  /// Takes over what the database says of all organizations.
  public func replace(with snapshot: TrustSnapshot) {
    state.withLock { state in
      state.epoch += 1
      let present = Set(snapshot.organizations.map(\.organization.record.key))
      for (key, entry) in state.organizations where !present.contains(key) { entry.standing.state = .deleted }
      for trust in snapshot.organizations { state.take(trust) }
      state.indexAuthorities()
    }
  }

  /// Takes over what the database says of one organization.
  public func apply(_ trust: OrganizationTrust) {
    state.withLock { state in
      state.take(trust)
      state.indexAuthorities()
    }
  }

  /// Takes over an identity that may have changed; nil stands for one that is gone without a trace.
  public func apply(_ identity: Identity?, key: Key<Identity>) {
    state.withLock { state in
      guard let entry = state.identities[key]?.object else { return }
      if let identity { entry.update(identity) } else { entry.standing.state = .deleted }
    }
  }

  /// Takes over the status of a certificate.
  public func apply(_ status: CertificateRecord.Status?, certificate: Key<CertificateRecord>) {
    state.withLock {
      $0.certificates[certificate]?.object?.standing.state = status == .active ? .good : .revoked
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

  fileprivate mutating func take(_ trust: OrganizationTrust) {
    let organization: OrganizationEntry
    if let known = organizations[trust.organization.record.key] {
      known.update(trust.organization)
      organization = known
    } else {
      organization = OrganizationEntry(trust.organization)
      organizations[trust.organization.record.key] = organization
    }
    for authority in trust.authorities where authority.status != .pending {
      if let known = authorities[authority.record.key] {
        known.update(authority)
      } else if let der = authority.certificate, let anchor = try? Certificate(der: der),
        let entry = try? AuthorityEntry(authority, anchor: anchor, of: organization)
      {
        authorities[authority.record.key] = entry
      }
    }
  }

  /// An organization that is deleted is nobody's candidate any more; a deleted authority refuses and stays one.
  fileprivate mutating func indexAuthorities() {
    map = TrustMap(authorities.values.filter { $0.organization.standing.state != .deleted })
  }

  /// A certificate that is not kept, and that no connection holds, is verified again at its next handshake.
  fileprivate mutating func keep(_ peer: DevicePeer, atMost capacity: Int) {
    if kept.count >= capacity, kept[peer.certificate.fingerprint] == nil {
      for fingerprint in kept.keys.prefix(capacity / 8 + 1) { kept[fingerprint] = nil }
      peers = peers.filter { $0.value.object != nil }
      certificates = certificates.filter { $0.value.object != nil }
      identities = identities.filter { $0.value.object != nil }
    }
    kept[peer.certificate.fingerprint] = peer
  }
}
