public import Cryptography

/// The one function that decides trust: does this leaf lead to this anchor, alone, for this purpose, now?
///
/// A validator belongs to one registered authority and may be used from any thread. Names and key identifiers only
/// find candidate paths; a path counts when OpenSSL has verified its signatures (security level 2, purpose, name
/// constraints, path lengths, policies) and every rule in `Rules/` holds for every certificate on it.
///
/// Time is judged last. The anchor and all intermediates must be valid at the time given, for an expired leaf too:
/// what an expired CA once signed is not trusted. The leaf's own time and its revocation are verdicts of their own.
public final class PathValidator: Sendable {
  /// The only certificate in which trust begins; it need not be self-signed.
  public let anchor: Certificate
  /// What was set at construction.
  public let policy: PathPolicy
  let intermediates: [Certificate]
  private let chain: ChainVerification

  /// Makes a validator. Known intermediates complete what a peer sends, so that it may send its leaf alone.
  ///
  /// It throws when the anchor can never be trusted (`AnchorCheck` says the same at registration, time included).
  public init(
    anchor: Certificate, intermediates: [Certificate] = [], policy: PathPolicy = PathPolicy()
  ) throws(PathFailure) {
    try Rules.check(anchor, as: .anchor, under: policy)
    self.anchor = anchor
    self.policy = policy
    self.intermediates = intermediates
    do {
      chain = try ChainVerification(anchor: anchor, maximumIntermediates: policy.maximumIntermediates)
    } catch {
      throw PathFailure(.malformed, "\(error)", role: .anchor)
    }
  }

  /// Judges `leaf` at `time` (seconds since 1970).
  ///
  /// A list that is past its `nextUpdate` still revokes what it names: who is to hear that a newer one is due learns it
  /// from `RevocationList.isStale`. A CA of which no list is given has revoked nothing. Through intermediates to be
  /// avoided a path leads only where no other does; whoever names them judges it.
  public func judge(
    _ leaf: Certificate, presented: [Certificate] = [], revocations: [AcceptedRevocationList] = [],
    avoiding: Set<SHA256Digest> = [], at time: Int64
  ) throws(PathFailure) -> PathVerdict {
    let path = try path(
      from: leaf, as: .leaf, presented: presented, revocations: revocations, avoiding: avoiding, at: time)
    if let entry = RevocationRule.entry(for: leaf, issuedBy: path.certificates[1], in: revocations) {
      return .revoked(path, entry)
    }
    if time < leaf.notBefore { return .notYetValid(path) }
    if time > leaf.notAfter { return .expired(path) }
    return .valid(path)
  }

  /// Judges a CA that is to lie between leaves and the anchor at `time` (seconds since 1970).
  public func checkIntermediate(_ intermediate: Certificate, at time: Int64) throws(PathFailure) {
    _ = try path(
      from: intermediate, as: .intermediate, for: .anything, presented: [], revocations: [], at: time)
  }

  /// The first path from a leaf, or from a CA (`role` intermediate) that is to sign revocation lists, that is trusted;
  /// a leaf's own time and revocation are left to the caller.
  func path(
    from target: Certificate, as role: PathRole, for purpose: ChainVerification.Purpose? = nil,
    presented: [Certificate],
    revocations: [AcceptedRevocationList], avoiding: Set<SHA256Digest> = [], at time: Int64
  ) throws(PathFailure) -> TrustedPath {
    guard presented.count <= policy.maximumPresented else {
      throw PathFailure(.forbidden, "more than \(policy.maximumPresented) certificates came with the leaf")
    }
    guard presented.reduce(0, { $0 + $1.encodedLength }) <= policy.maximumPresentedBytes else {
      throw PathFailure(.forbidden, "more than \(policy.maximumPresentedBytes) bytes came with the leaf")
    }
    try Rules.check(target, as: role, under: policy)
    let pool = intermediates + presented
    let current = pool.filter { ValidityRule.contains($0, time) && !avoiding.contains($0.fingerprint) }
    // First without what is out of date, so that an expired certificate never hides a path around it.
    for candidates in current.count == pool.count ? [pool] : [current, pool] {
      var builder = PathBuilder(
        anchor: anchor, pool: candidates, maximumIntermediates: policy.maximumIntermediates)
      var failure: PathFailure?
      for path in builder.paths(from: target) {
        do throws(PathFailure) {
          try check(path, from: role, for: purpose, against: revocations, at: time)
          return TrustedPath(path)
        } catch { failure = failure ?? error }
      }
      if let failure { throw failure }
    }
    throw PathFailure(.unknownIssuer, "no path leads to the anchor")
  }

  private func purpose(of role: PathRole) -> ChainVerification.Purpose {
    switch (role, policy.purpose) {
    case (.leaf, .clientAuthentication): .client
    case (.leaf, .proofOfKey): .anything
    case (.intermediate, _), (.anchor, _): .revocationListSigner
    }
  }

  /// Everything above a target that has passed the rules already; the anchor has at construction.
  private func check(
    _ path: [Certificate], from role: PathRole, for purpose: ChainVerification.Purpose?,
    against revocations: [AcceptedRevocationList], at time: Int64
  ) throws(PathFailure) {
    for intermediate in path.dropFirst().dropLast() {
      try Rules.check(intermediate, as: .intermediate, under: policy)
    }
    try Rules.check(path)
    try chain.verify(path, for: purpose ?? self.purpose(of: role))
    let authorities = role == .leaf ? path.dropFirst().dropLast() : path.dropLast()
    try ValidityRule.check(authorities, as: .intermediate, at: time)
    try ValidityRule.check([anchor], as: .anchor, at: time)
    try RevocationRule.check(path, in: revocations)
  }
}
