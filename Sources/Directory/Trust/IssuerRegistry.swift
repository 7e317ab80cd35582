internal import Cryptography
internal import Issuance
internal import PKIX
internal import Reactor

/// The CAs between an authority's anchor and the leaves in memory, and which of them are revoked.
final class IssuerRegistry: Sendable {
  fileprivate struct State {
    var issuers: [SHA256Digest: Weak] = [:]
    var revoked: Set<SHA256Digest> = []
    /// When so many are there, those that nobody holds any more are forgotten.
    var limit = 64
  }

  fileprivate struct Weak: Sendable {
    weak let object: Issuer?
  }

  private let state = Lock(State())

  /// The objects for these certificates.
  func entries(for certificates: some Collection<Certificate>) -> [Issuer] {
    if certificates.isEmpty { return [] }
    return state.withLock { state in certificates.map { state.entry(for: $0) } }
  }

  /// All that some proof rests on.
  var all: [Issuer] { state.withLock { $0.issuers.values.compactMap(\.object) } }

  /// What a path should not lead through if another one is there.
  var revoked: Set<SHA256Digest> { state.withLock { $0.revoked } }

  /// Takes over what the lists say of some of them.
  func take(_ listings: [Listing], of issuers: [Issuer]) {
    // Signatures are verified only where a serial number is listed, and before the lock.
    let verdicts = issuers.map { issuer in
      (issuer, listings.contains { $0.names(issuer.certificate) })
    }
    state.withLock { state in
      for (issuer, isRevoked) in verdicts {
        issuer.isRevoked = isRevoked
        if isRevoked {
          state.revoked.insert(issuer.certificate.fingerprint)
        } else {
          state.revoked.remove(issuer.certificate.fingerprint)
        }
      }
    }
  }
}

extension IssuerRegistry.State {
  fileprivate mutating func entry(for certificate: Certificate) -> Issuer {
    let fingerprint = certificate.fingerprint
    if let known = issuers[fingerprint]?.object { return known }
    if issuers.count >= limit {
      issuers = issuers.filter { $0.value.object != nil }
      revoked.formIntersection(issuers.keys)
      limit = max(64, 2 * issuers.count)
    }
    // What was known of it ended with those who asked.
    revoked.remove(fingerprint)
    let issuer = Issuer(certificate)
    issuers[fingerprint] = IssuerRegistry.Weak(object: issuer)
    return issuer
  }
}
