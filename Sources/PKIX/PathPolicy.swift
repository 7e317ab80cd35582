/// What an authority allows beyond the rules, and how much work one verification may be.
public struct PathPolicy: Sendable, Hashable {
  /// What the leaf is for.
  public var purpose = PathPurpose.clientAuthentication
  /// Whether a leaf without the extended key usage extension is taken for a client's; one with the extension must
  /// name clientAuth in any case.
  public var permitsMissingPurpose = false
  /// Certificates between leaf and anchor.
  public var maximumIntermediates = 5
  /// Certificates that a peer may send besides its own.
  public var maximumPresented = 10
  /// Bytes that these may have together.
  public var maximumPresentedBytes = 64 * 1024

  /// The strict policy.
  public init() {}

  /// For a certificate that proves to hold the anchor's key: signed by it directly, for whatever purpose.
  public static let proofOfKey: PathPolicy = {
    var policy = PathPolicy()
    policy.purpose = .proofOfKey
    policy.maximumIntermediates = 0
    return policy
  }()
}
