public import Issuance

/// What the public is told about revocation.
public struct Revoking: Sendable {
  public let lists: RevocationListShelf
  public let ocsp: OCSPDesk
  public let policy: RevocationPolicy

  public init(lists: RevocationListShelf, ocsp: OCSPDesk, policy: RevocationPolicy = RevocationPolicy()) {
    self.lists = lists
    self.ocsp = ocsp
    self.policy = policy
  }
}
