internal import Cryptography
import Issuance
import Licensing
import PKIX

/// Writes down whom certificates speak for: many of one authority in one transaction.
///
/// One of an external CA is read by the authority's mapping; a new identity is made only where the authority says so
/// (`autoProvision`). What is not found is not remembered.
///
/// With `onlyReads` nothing is written down: of those for whom something would have to be, the answer is nil.
struct Registrar: Sendable {
  let units: any UnitsOfWork
  var onlyReads = false
  let makeID: @Sendable () throws -> Identifier

  /// Notes that successors were presented; those that are revoked are not in the answer.
  func use(
    _ successors: [Key<CertificateRecord>], of organization: Key<Organization>
  ) async throws -> Set<Key<CertificateRecord>> {
    if onlyReads || successors.isEmpty { return [] }
    return Set(try await units.transact { try await $0.use(successors, organization: organization) })
  }

  /// Reads or writes the identities and the certificates' rows, by the authority's rules as they are in the transaction:
  /// what memory has not heard of yet must not make an identity. The answers in order, and the rules' revision.
  ///
  /// Thrown: `.conflict` when somebody else wrote the same meanwhile.
  func register(
    _ certificates: [Certificate], under authority: AuthorityEntry
  ) async throws -> Answer {
    if onlyReads {
      return try await units.read { try await register(certificates, under: authority, in: $0) }
    }
    return try await units.transact { try await register(certificates, under: authority, in: $0) }
  }

  typealias Answer = ([Result<CertificateStanding?, PeerRefusal>], rules: Int64)

  private func register(
    _ certificates: [Certificate], under authority: AuthorityEntry, in work: any IssuanceUnitOfWork
  ) async throws -> Answer {
    let facts = try certificates.map { try CertificateFacts($0) }
    let organization = authority.organization.key
    guard let authority = try await work.authority(authority.id, of: organization, locked: false),
      authority.status != .revoked
    else {
      throw PeerRefusal.authorityRevoked
    }
    let names = certificates.map { Self.name(of: $0, by: authority) }
    let named = zip(facts, names).compactMap { facts, name in
      name.map { SeenCertificate(facts, named: $0) }
    }
    var known = try await work.known(named, of: authority)[...]
    let strangers = zip(named, known).filter { $0.1.identity == nil }.map(\.0.name)
    let isOpen = authority.autoProvision
    let newcomers =
      isOpen && !onlyReads ? try await provision(strangers, for: organization, in: work) : [:]
    var standings: [Result<CertificateStanding?, PeerRefusal>] = []
    var unseen: [(place: Int, facts: CertificateFacts, identity: Identity)] = []
    for (place, name) in names.enumerated() {
      // What none of the following says better.
      standings.append(.failure(.identityUnknown))
      guard let name, let found = known.popFirst() else { continue }
      guard let identity = found.identity ?? newcomers[name] else {
        if isOpen { standings[place] = .success(nil) }
        continue
      }
      if identity.status == .deleted {
        standings[place] = .failure(.identityDeleted)
      } else if let (key, status) = found.row {
        standings[place] = .success(
          CertificateStanding(certificate: key, status: status, identity: identity))
      } else if onlyReads {
        standings[place] = identity.status == .active ? .success(nil) : .failure(.identitySuspended)
      } else {
        unseen.append((place, facts[place], identity))
      }
    }
    if unseen.isEmpty { return (standings, authority.record.revision) }
    let rows = try await work.insert(
      unseen.map { ($0.facts, $0.identity.record.key) }, authority: authority)
    for (seen, row) in zip(unseen, rows) {
      standings[seen.place] = .success(
        CertificateStanding(certificate: row.key, status: row.status, identity: seen.identity))
    }
    return (standings, authority.record.revision)
  }

  /// Nil when the authority's rules find none.
  private static func name(of certificate: Certificate, by authority: Authority) -> ExternalName? {
    if let match = authority.match, !match.admits(certificate) { return nil }
    return try? IdentityMapping.name(of: certificate, by: authority.mapping, group: authority.group)
  }

  /// Makes the identities; each is called as its CA calls it, unless that is no name of ours or somebody has it.
  private func provision(
    _ strangers: [ExternalName], for organization: Key<Organization>, in work: any IssuanceUnitOfWork
  ) async throws -> [ExternalName: Identity] {
    if strangers.isEmpty { return [:] }
    let wishes = strangers.compactMap { IdentityName(String(decoding: $0.value, as: UTF8.self)) }
    var taken = try await work.taken(wishes, of: organization)
    var new: [ExternalName: NewIdentity] = [:]
    for external in strangers where new[external] == nil {
      var chosen = IdentityName(String(decoding: external.value, as: UTF8.self))
      if let wanted = chosen, !taken.insert(wanted).inserted { chosen = nil }
      guard let name = chosen ?? IdentityName("x-" + external.digest) else {
        throw StorageError.fault("no name for an identity")
      }
      new[external] = NewIdentity(
        record: NewRecord(id: try makeID()), organization: organization, name: name, external: external)
    }
    let made = try await work.provision(Array(new.values), of: organization)
    return Dictionary(made.compactMap { one in one.external.map { ($0, one) } }) { first, _ in first }
  }
}
