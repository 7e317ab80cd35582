public import PKIX

extension Authority {
  /// What its certificates need not say.
  public var pathPolicy: PathPolicy {
    var policy = PathPolicy()
    policy.permitsMissingPurpose = allowsMissingClientAuth
    return policy
  }
}
