internal import Cryptography
public import Issuance
public import Licensing
internal import PKIX

/// Finds out, once per certificate, whom it speaks for: by its row if we know it, else by the name that an external CA
/// gave it.
///
/// A certificate we issued is known by its row alone, whatever its SAN says. One of an external CA is read by the
/// authority's mapping; a new identity is made only where the authority says so (`autoProvision`). What is not found is
/// not remembered.
public struct Recognizer: Sendable {
  private let directory: TrustDirectory
  private let trust: any TrustSource
  private let units: any UnitsOfWork
  private let makeID: @Sendable () throws -> Identifier

  public init(
    directory: TrustDirectory, trust: any TrustSource, units: any UnitsOfWork,
    makeID: @escaping @Sendable () throws -> Identifier
  ) {
    self.directory = directory
    self.trust = trust
    self.units = units
    self.makeID = makeID
  }

  /// Fills in `peer.recognized`. Thrown: a `PeerRefusal` (of the identity, or of a CA above the certificate) or a
  /// `StorageError`.
  public func recognize(_ peer: DevicePeer, at seconds: Int64) async throws {
    if peer.recognized != nil { return }
    for _ in 0..<Self.mostTries {
      let epoch = directory.epoch
      let issuers = peer.issuers
      guard try await look(up: issuers, of: peer, epoch: epoch) else { continue }
      switch peer.trust(at: seconds) {
      case .good: break
      case .revoked: throw PeerRefusal.certificateRevoked
      case .lost: throw PeerRefusal.trustChanged
      }
      // Where one of them is revoked another path may lead around it, of which nothing is known yet.
      guard peer.issuers.elementsEqual(issuers, by: ===) else { continue }
      let (standing, rules) = try await standing(of: peer)
      if directory.recognize(peer, through: issuers, as: standing, rules: rules, epoch: epoch) { return }
    }
    throw StorageError.unavailable("identities change faster than this server can read them")
  }

  /// Reads whether lists name the CAs above a certificate; false when a change was heard of meanwhile.
  private func look(up issuers: [Issuer], of peer: DevicePeer, epoch: UInt64) async throws -> Bool {
    if issuers.isEmpty { return true }
    let listings = try await trust.listings(of: issuers.map(\.serialNumber), under: peer.authority.key)
    return directory.take(listings, of: issuers, under: peer.authority, epoch: epoch)
  }

  /// A change that is heard of while the database is read makes the reading void.
  private static let mostTries = 8

  /// What the database says, and the revision of the authority by whose rules it says so.
  private func standing(of peer: DevicePeer) async throws -> (CertificateStanding, rules: Int64) {
    if peer.authority.kind == .external {
      do {
        return try await note(peer)
      } catch StorageError.conflict(_) {
        // Another connection, or another server, was first: now its row is there.
        return try await note(peer)
      }
    }
    let rules = peer.authority.currentRules.generation
    let row = try await trust.standing(
      ofCertificate: peer.certificate.fingerprint.bytes, authority: peer.authority.key)
    guard let row else { throw PeerRefusal.identityUnknown }
    guard row.isUnusedSuccessor, row.status == .active else { return (row, rules) }
    // Now the device certainly has it, and the right of the one before it ends.
    let isUsed = try await units.transact {
      try await $0.use(row.certificate, organization: peer.organization.key)
    }
    guard isUsed else { throw PeerRefusal.certificateRevoked }
    return (row, rules)
  }

  private static func name(of certificate: Certificate, by authority: Authority) throws -> ExternalName {
    if let match = authority.match, !match.admits(certificate) { throw PeerRefusal.identityUnknown }
    do throws(IdentityMapping.Failure) {
      return try IdentityMapping.name(of: certificate, by: authority.mapping, group: authority.group)
    } catch {
      throw PeerRefusal.identityUnknown
    }
  }

  /// Reads or writes the identity and the certificate's row in one transaction, by the authority's rules as they are in
  /// it: what memory has not heard of yet must not make an identity.
  private func note(_ peer: DevicePeer) async throws -> (CertificateStanding, rules: Int64) {
    let facts = try CertificateFacts(peer.certificate)
    return try await units.transact { work in
      let organization = peer.organization.key
      guard let authority = try await work.authority(peer.authority.id, of: organization, locked: false),
        authority.status != .revoked
      else {
        throw PeerRefusal.authorityRevoked
      }
      let rules = authority.record.revision
      let name = try Self.name(of: peer.certificate, by: authority)
      let identity: Identity
      if let known = try await work.identity(named: name, of: organization) {
        identity = known
      } else if authority.autoProvision {
        identity = try await provision(name, for: organization, in: work)
      } else {
        throw PeerRefusal.identityUnknown
      }
      if identity.status == .deleted { throw PeerRefusal.identityDeleted }
      let rows = try await work.certificates(.fingerprint(facts.fingerprint), of: organization, locked: false)
      if let row = rows.first(where: { $0.authority == peer.authority.key }) {
        return (CertificateStanding(certificate: row.key, status: row.status, identity: identity), rules)
      }
      let row = try await work.insert(
        facts, source: .seen, authority: authority, identity: identity.record.key)
      return (CertificateStanding(certificate: row.key, status: row.status, identity: identity), rules)
    }
  }

  private func provision(
    _ name: ExternalName, for organization: Key<Organization>, in work: any IssuanceUnitOfWork
  )
    async throws -> Identity
  {
    let fallback = "x-" + name.digest
    var chosen = IdentityName(String(decoding: name.value, as: UTF8.self))
    if let wanted = chosen, try await work.identity(.name(wanted), of: organization, locked: false) != nil {
      chosen = nil
    }
    guard let chosen = chosen ?? IdentityName(fallback) else {
      throw StorageError.fault("no name for an identity")
    }
    let identity = try await work.insert(
      NewIdentity(
        record: NewRecord(id: try makeID()), organization: organization, name: chosen, external: name))
    try await work.record(
      AuditEvent(
        "identity.provisioned", organization: organization, actor: .system, identity: identity.record.key))
    return identity
  }
}
