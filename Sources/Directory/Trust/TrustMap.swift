import Issuance
import Licensing
import PKIX

/// Where to look for the authority of a certificate: an immutable index, replaced as a whole.
///
/// Names and key ids only find candidates; whether one of them signed is for the path validator to say. Whose key lies on
/// a proven path is then a fact, and `holder` knows it.
final class TrustMap: Sendable {
  /// Bounds the work that one handshake can ask for.
  static let mostCandidates = 32
  /// What one organization may add to that: many CAs with a stranger's name must not hide the stranger's own.
  static let mostOfOneOrganization = 4

  /// Counts the maps: a verdict that took more than one key to prove holds only under the map it was made by.
  let generation: UInt64
  /// By what SHA-1 makes of the anchor's key (RFC 5280 §4.2.1.2): nobody can take another's place there.
  private let byOwnIdentifier: [[UInt8]: [AuthorityEntry]]
  private let byStatedIdentifier: [[UInt8]: [AuthorityEntry]]
  private let bySubject: [[UInt8]: [AuthorityEntry]]
  private let byKey: [[UInt8]: AuthorityEntry]
  private let byHost: [String: OrganizationEntry]

  init(
    _ authorities: some Sequence<AuthorityEntry>, of organizations: some Sequence<OrganizationEntry> = [],
    generation: UInt64 = 1
  ) {
    var byOwnIdentifier: [[UInt8]: [AuthorityEntry]] = [:]
    var byStatedIdentifier: [[UInt8]: [AuthorityEntry]] = [:]
    var bySubject: [[UInt8]: [AuthorityEntry]] = [:]
    var byKey: [[UInt8]: AuthorityEntry] = [:]
    // In the order of registration, so that two servers find the same.
    for authority in authorities.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      byOwnIdentifier[authority.anchor.computedKeyIdentifier, default: []].append(authority)
      for hints in [authority.anchorHints] + authority.currentRules.intermediateHints {
        for identifier in hints.identifiers { byStatedIdentifier[identifier, default: []].append(authority) }
        bySubject[hints.subject, default: []].append(authority)
      }
      // A deleted authority holds its key until somebody proves it anew.
      let key = authority.anchor.subjectPublicKeyInfo
      if byKey[key].map({ $0.isDeleted || !authority.isDeleted }) ?? true { byKey[key] = authority }
    }
    var byHost: [String: OrganizationEntry] = [:]
    for organization in organizations where organization.standing.state != .deleted {
      if let host = organization.currentTerms.hostname { byHost[host] = organization }
    }
    self.generation = generation
    self.byHost = byHost
    self.byOwnIdentifier = byOwnIdentifier
    self.byStatedIdentifier = byStatedIdentifier
    self.bySubject = bySubject
    self.byKey = byKey
  }

  /// The authority whose anchor has this certificate's key.
  func holder(of issuer: Certificate) -> AuthorityEntry? { byKey[issuer.subjectPublicKeyInfo] }

  /// Whether any organization has a host name of its own.
  var hasHosts: Bool { !byHost.isEmpty }

  /// The organization that a host name, in small letters, serves alone.
  func owner(ofHost host: String) -> OrganizationEntry? { byHost[host] }

  /// The authorities that may have signed `leaf`, directly or through one of `intermediates`; each once, at most
  /// `mostCandidates`.
  func candidates(for leaf: Certificate, through intermediates: [Certificate]) -> [AuthorityEntry] {
    var found = Candidates()
    let chain = ([leaf] + intermediates).map { certificate in
      (certificate, (try? certificate.authorityKeyIdentifier) ?? nil)
    }
    for (_, identifier) in chain { found.add(identifier.flatMap { byOwnIdentifier[$0] }, atMost: .max) }
    for (certificate, identifier) in chain {
      // By name only where the key id is absent: many CAs share a name.
      let more =
        if let identifier { byStatedIdentifier[identifier] } else { bySubject[certificate.issuer.der] }
      found.add(more, atMost: Self.mostOfOneOrganization)
    }
    return found.all
  }

  private struct Candidates {
    private(set) var all: [AuthorityEntry] = []
    private var counts: [Key<Organization>: Int] = [:]

    mutating func add(_ authorities: [AuthorityEntry]?, atMost share: Int) {
      for authority in authorities ?? [] {
        let count = counts[authority.organization.key, default: 0]
        guard all.count < TrustMap.mostCandidates, count < share, !all.contains(where: { $0 === authority })
        else { continue }
        all.append(authority)
        counts[authority.organization.key] = count + 1
      }
    }
  }
}
