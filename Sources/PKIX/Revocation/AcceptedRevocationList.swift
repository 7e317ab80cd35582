/// A revocation list whose issuer is trusted. Only `PathValidator.accept` makes one.
public struct AcceptedRevocationList: Sendable {
  /// The list.
  public let list: RevocationList
  /// The certificate whose key signed it: the authority's anchor or an intermediate.
  public let issuer: Certificate

  init(_ list: RevocationList, of issuer: Certificate) {
    self.list = list
    self.issuer = issuer
  }

  /// Whether the list is for what `authority` signs: the same name and the same key, in whichever certificate.
  func speaks(for authority: Certificate) -> Bool {
    authority == issuer
      || authority.subject == issuer.subject
        && authority.subjectPublicKeyInfo == issuer.subjectPublicKeyInfo
  }
}
