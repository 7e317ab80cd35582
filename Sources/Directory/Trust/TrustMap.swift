import Issuance
import PKIX

/// Where to look for the authority of a certificate: an immutable index, replaced as a whole.
///
/// Names and key ids only find candidates; whether one of them signed is for the path validator to say.
final class TrustMap: Sendable {
  /// Bounds the work that one handshake can ask for.
  static let mostCandidates = 16

  private let byKeyIdentifier: [[UInt8]: [AuthorityEntry]]
  private let bySubject: [[UInt8]: [AuthorityEntry]]

  init(_ authorities: some Sequence<AuthorityEntry>) {
    var byKeyIdentifier: [[UInt8]: [AuthorityEntry]] = [:]
    var bySubject: [[UInt8]: [AuthorityEntry]] = [:]
    for authority in authorities {
      for hints in [authority.anchorHints] + authority.currentRules.intermediateHints {
        for identifier in hints.identifiers { byKeyIdentifier[identifier, default: []].append(authority) }
        bySubject[hints.subject, default: []].append(authority)
      }
    }
    self.byKeyIdentifier = byKeyIdentifier
    self.bySubject = bySubject
  }

  /// The authorities that may have signed `leaf`, directly or through one of `intermediates`; each once, at most
  /// `mostCandidates`.
  func candidates(for leaf: Certificate, through intermediates: [Certificate]) -> [AuthorityEntry] {
    var found: [AuthorityEntry] = []
    var seen: Set<ObjectIdentifier> = []
    for certificate in [leaf] + intermediates {
      for authority in issuers(of: certificate) where seen.insert(ObjectIdentifier(authority)).inserted {
        found.append(authority)
        if found.count == Self.mostCandidates { return found }
      }
    }
    return found
  }

  private func issuers(of certificate: Certificate) -> [AuthorityEntry] {
    // By name only where the key id is absent: many CAs share a name.
    if let identifier = (try? certificate.authorityKeyIdentifier) ?? nil {
      return byKeyIdentifier[identifier] ?? []
    }
    return bySubject[certificate.issuer.der] ?? []
  }

  private typealias ObjectIdentifier = Swift.ObjectIdentifier
}
