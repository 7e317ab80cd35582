/// The one function that decides trust: does this leaf lead to this anchor, alone, for client authentication, now?
///
/// A validator belongs to one registered authority and may be used from any thread. Names and key identifiers only
/// find candidate paths; a path counts when OpenSSL has verified its signatures (security level 2, purpose, name
/// constraints, path lengths, policies) and every rule in `Rules/` holds for every certificate on it.
///
/// Time is judged last. The anchor and all intermediates must be valid at the time given, for an expired leaf too:
/// what an expired CA once signed is not trusted. The leaf's own time is a verdict of its own.
public final class PathValidator: Sendable {
  /// The only certificate in which trust begins; it need not be self-signed.
  public let anchor: Certificate
  /// What was set at construction.
  public let policy: PathPolicy
  private let intermediates: [Certificate]
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
  public func judge(
    _ leaf: Certificate, presented: [Certificate] = [], at time: Int64
  ) throws(PathFailure) -> PathVerdict {
    guard presented.count <= policy.maximumPresented else {
      throw PathFailure(.forbidden, "more than \(policy.maximumPresented) certificates came with the leaf")
    }
    try Rules.check(leaf, as: .leaf, under: policy)
    let pool = intermediates + presented
    let current = pool.filter { ValidityRule.contains($0, time) }
    // First without what is out of date, so that an expired certificate never hides a path around it.
    for candidates in current.count == pool.count ? [pool] : [current, pool] {
      var builder = PathBuilder(
        anchor: anchor, pool: candidates, maximumIntermediates: policy.maximumIntermediates)
      let paths = builder.paths(from: leaf)
      var failure: PathFailure?
      for path in paths {
        do throws(PathFailure) { return try judge(path, at: time) } catch { failure = failure ?? error }
      }
      if let failure { throw failure }
    }
    throw PathFailure(.unknownIssuer, "no path leads to the anchor")
  }

  private func judge(_ path: [Certificate], at time: Int64) throws(PathFailure) -> PathVerdict {
    guard let leaf = path.first, path.count >= 2 else {
      throw PathFailure(.unknownIssuer, "there is no path")
    }
    try Rules.check(leaf, as: .leaf, under: policy)
    for intermediate in path.dropFirst().dropLast() {
      try Rules.check(intermediate, as: .intermediate, under: policy)
    }
    try WildcardConstraintRule.check(path)
    try chain.verify(path)
    try ValidityRule.check(path.dropFirst().dropLast(), as: .intermediate, at: time)
    try ValidityRule.check([anchor], as: .anchor, at: time)
    let trusted = TrustedPath(path)
    if time < trusted.leaf.notBefore { return .notYetValid(trusted) }
    if time > trusted.leaf.notAfter { return .expired(trusted) }
    return .valid(trusted)
  }
}
