internal import COpenSSL
internal import Cryptography

/// Finds the ways from a leaf to one anchor by names and key identifiers, without judging any of them.
///
/// OpenSSL picks one issuer for each certificate and never comes back to another; a device may send, and an
/// organization may have, several certificates of one CA of which only one leads to the anchor. So paths are laid out
/// here, few and short, and OpenSSL judges each.
struct PathBuilder {
  let anchor: Certificate
  /// Everything that may lie between; a certificate is used at most once in a path.
  let pool: [Certificate]
  let maximumIntermediates: Int

  /// Paths that are tried at most.
  private static let maximumPaths = 8
  /// Links that are looked at, at most.
  private static let maximumSteps = 500

  private var steps = 0
  private(set) var paths: [[Certificate]] = []

  init(anchor: Certificate, pool: [Certificate], maximumIntermediates: Int) {
    self.anchor = anchor
    self.pool = pool
    self.maximumIntermediates = maximumIntermediates
  }

  /// The paths from `leaf`, each from leaf to anchor.
  mutating func paths(from leaf: Certificate) -> [[Certificate]] {
    extend([leaf])
    return paths
  }

  private mutating func extend(_ path: [Certificate]) {
    guard let last = path.last else { return }
    if Self.mayHaveIssued(anchor, last) { paths.append(path + [anchor]) }
    guard path.count <= maximumIntermediates else { return }
    for candidate in pool where !path.contains(candidate) && candidate != anchor {
      steps += 1
      guard steps <= Self.maximumSteps, paths.count < Self.maximumPaths else { return }
      if Self.mayHaveIssued(candidate, last) { extend(path + [candidate]) }
    }
  }

  /// Whether names, key identifiers and kinds of key permit that `issuer` issued `subject`.
  private static func mayHaveIssued(_ issuer: Certificate, _ subject: Certificate) -> Bool {
    // SAFETY: both certificates are alive; X509_check_issued only reads (and fills its caches under their lock).
    let result = unsafe issuer.withUnsafeX509 { issuer in
      unsafe subject.withUnsafeX509 { subject in
        OpenSSLCall.quietly { unsafe X509_check_issued(issuer, subject) }
      }
    }
    return result == X509_V_OK || result == X509_V_ERR_KEYUSAGE_NO_CERTSIGN
  }
}
