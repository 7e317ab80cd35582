/// No certificate below the anchor is on a list of the CA that issued it (RFC 5280 section 6.3).
///
/// The anchor itself is trusted until whoever registered it says otherwise.
enum RevocationRule {
  static func entry(
    for certificate: Certificate, issuedBy issuer: Certificate, in lists: [AcceptedRevocationList]
  ) -> RevocationList.Entry? {
    for accepted in lists where accepted.speaks(for: issuer) {
      if let entry = accepted.list.entry(for: certificate.serialNumber) { return entry }
    }
    return nil
  }

  /// Judges the intermediates of a path.
  static func check(_ path: [Certificate], in lists: [AcceptedRevocationList]) throws(PathFailure) {
    guard !lists.isEmpty else { return }
    for (certificate, issuer) in zip(path, path.dropFirst()).dropFirst()
    where entry(for: certificate, issuedBy: issuer, in: lists) != nil {
      throw PathFailure(.revoked, "it is revoked", role: .intermediate)
    }
  }
}
