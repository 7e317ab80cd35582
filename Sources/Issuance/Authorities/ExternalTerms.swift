/// What an organization says of its own CA, checked: how its certificates name identities, and who is admitted.
public struct ExternalTerms: Sendable {
  public let mapping: [MappingRule]
  public let match: MatchRule?
  public let autoProvision: Bool
  /// Whether certificates that state no extended key usage at all are taken for clients'.
  public let allowsMissingClientAuth: Bool

  /// Which part of the terms does not hold together, and why.
  public struct Objection: Error, Sendable, Hashable {
    /// The member of the request that is wrong.
    public let member: String
    public let reason: String
  }

  /// `mapping` nil: nothing was said, and the standard holds.
  public init(
    mapping: [MappingRule]?, match: MatchRule?, autoProvision: Bool, allowsMissingClientAuth: Bool = false
  ) throws(Objection) {
    if let mapping {
      guard (1...8).contains(mapping.count) else {
        throw Objection(member: "mapping", reason: "needs one to eight rules")
      }
      guard Set(mapping.map(\.field)).count == mapping.count else {
        throw Objection(member: "mapping", reason: "names a field twice")
      }
    }
    if autoProvision, mapping == nil || mapping?.contains(where: { $0.field == .spki }) == true {
      throw Objection(
        member: "mapping",
        reason:
          "autoProvision needs an explicit mapping without spki: each new key would be a new identity and a new seat"
      )
    }
    self.mapping = mapping ?? MappingRule.standard
    self.match = match
    self.autoProvision = autoProvision
    self.allowsMissingClientAuth = allowsMissingClientAuth
  }
}
