import Cryptography
import Licensing
import PKIX
import TLS

/// Finds the one authority that decides on a certificate (design invariant 5).
///
/// Every candidate's anchor is asked alone. On a chain that holds, the registered key nearest to the leaf decides,
/// whatever became of its authority: a revoked one refuses, and nothing falls through to one above it.
struct ChainJudge {
  let map: TrustMap

  func judge(
    _ leaf: Certificate, presented: [Certificate], at time: Int64
  ) throws(Refusal) -> TrustProof {
    var proofs: [TrustProof] = []
    var failure: PathFailure?
    for authority in map.candidates(for: leaf, through: presented) {
      // Whatever else it is good for, it has proven a key to us, and authenticates nobody.
      if authority.currentRules.proofFingerprint == leaf.fingerprint.bytes {
        throw Refusal(.badCertificate, "a proof certificate", of: leaf)
      }
      let path: TrustedPath
      do throws(PathFailure) {
        path = try Self.path(from: leaf, to: authority, through: presented, at: time).path
      } catch {
        if failure == nil || failure?.kind == .unknownIssuer { failure = error }
        continue
      }
      proofs.append(try nearest(on: path, to: authority, presented, at: time))
    }
    guard let proof = Self.decisive(among: proofs) else { throw Refusal(failure, of: leaf) }
    if proof.authority.organization.standing.state == .deleted {
      throw Refusal(.unknownAuthority, "the organization is deleted", of: leaf)
    }
    return proof
  }

  /// Of the keys on a chain that holds, the first that is somebody's; he must vouch for the leaf by his own anchor.
  private func nearest(
    on path: TrustedPath, to authority: AuthorityEntry, _ presented: [Certificate], at time: Int64
  ) throws(Refusal) -> TrustProof {
    let leaf = path.leaf
    for (place, issuer) in path.certificates.enumerated().dropFirst() {
      guard let holder = map.holder(of: issuer), holder !== authority else { continue }
      let between = Array(path.certificates[1..<place])
      do throws(PathFailure) {
        let (own, generation) = try Self.path(from: leaf, to: holder, through: between, at: time)
        return TrustProof(own, by: holder, generation, presented, under: map)
      } catch { throw Refusal(error, of: leaf) }
    }
    return TrustProof(path, by: authority, authority.generation, presented, under: map)
  }

  private static func path(
    from leaf: Certificate, to authority: AuthorityEntry, through presented: [Certificate], at time: Int64
  ) throws(PathFailure) -> (path: TrustedPath, generation: UInt64) {
    // Read before it is judged by: what changes meanwhile makes the proof void at once.
    let generation = authority.generation
    // The leaf's own time is no failure: whoever is late or early is told so, and may even renew.
    let verdict = try authority.currentRules.validator.judge(
      leaf, presented: presented, avoiding: authority.issuers.revoked, at: time)
    return (verdict.path, generation)
  }

  /// Several authorities decide only where chains part: a CA whose key nobody registered was certified by several.
  ///
  /// Between organizations the first to come has it, so that nobody takes over another's devices by certifying that
  /// other's CA. Within one, a living authority goes before a revoked one.
  private static func decisive(among proofs: [TrustProof]) -> TrustProof? {
    let home = proofs.min { $0.authority.key.rawValue < $1.authority.key.rawValue }?.authority.organization
    return proofs.filter { $0.authority.organization === home }.min { $0.rank < $1.rank }
  }
}

extension TrustProof {
  fileprivate var rank: (Int, Int, Int64) {
    (authority.standing.state == .good && !isRevoked ? 0 : 1, length, authority.key.rawValue)
  }
}

extension Refusal {
  /// The alert for a leaf that no candidate's anchor vouches for.
  fileprivate init(_ failure: PathFailure?, of leaf: Certificate) {
    switch failure?.kind {
    case nil, .unknownIssuer: self.init(.unknownAuthority, "no known authority", of: leaf)
    case .badSignature: self.init(.badCertificate, "a signature does not verify", of: leaf)
    case .wrongPurpose: self.init(.unsupportedCertificate, "not for client authentication", of: leaf)
    case .expired: self.init(.badCertificate, "its authority has expired", of: leaf)
    case .notYetValid: self.init(.badCertificate, "its authority is not valid yet", of: leaf)
    case .revoked: self.init(.badCertificate, "its authority is revoked by the one above", of: leaf)
    case .malformed: self.init(.badCertificate, "unreadable in part", of: leaf)
    case .forbidden: self.init(.badCertificate, "forbidden by a rule", of: leaf)
    }
  }
}
