/// What an authority allows beyond the rules, and how much work one verification may be.
public struct PathPolicy: Sendable, Hashable {
  /// Whether a leaf without the extended key usage extension is taken for a client's; one with the extension must
  /// name clientAuth in any case.
  public var permitsMissingPurpose = false
  /// Certificates between leaf and anchor.
  public var maximumIntermediates = 5
  /// Certificates that a peer may send besides its own.
  public var maximumPresented = 10

  /// The strict policy.
  public init() {}
}
