internal import Cryptography

/// What is said about a CA certificate when an organization registers it as an anchor.
///
/// An anchor is trusted because someone registered it, so what concerns only its own conformance is accepted and named;
/// what later verifications rely on must be right.
public enum AnchorCheck {
  /// Judges `anchor` at `time` (seconds since 1970): throws when it cannot be an anchor, and returns what is odd about
  /// it otherwise, in words. Of one that is no root (`isRoot` false) nobody expects that it signed itself.
  public static func warnings(
    on anchor: Certificate, at time: Int64, isRoot: Bool = true
  ) throws(PathFailure) -> [String] {
    _ = try PathValidator(anchor: anchor)
    guard time <= anchor.notAfter else { throw PathFailure(.expired, "it has expired", role: .anchor) }
    var warnings: [String] = []
    if time < anchor.notBefore {
      warnings.append("It is not valid yet; until it is, nothing under it is trusted.")
    }
    do throws(CertificateError) {
      if try anchor.keyUsage == nil { warnings.append("It has no key usage extension.") }
      let stated = try anchor.subjectKeyIdentifier
      if stated == nil { warnings.append("It has no subject key identifier.") }
      if let authority = try anchor.authorityKeyIdentifier, isSelfIssued(anchor), authority != stated {
        warnings.append("Its authority key identifier is not its own subject key identifier.")
      }
    } catch {
      throw PathFailure(.malformed, "\(error)", role: .anchor)
    }
    for element in anchor.extensions {
      if element.identifier == .basicConstraints, !element.isCritical {
        warnings.append("Its basic constraints are not critical.")
      }
      if element.identifier == .nameConstraints, !element.isCritical {
        warnings.append("Its name constraints are not critical; they are obeyed all the same.")
      }
    }
    if let objection = SerialNumberRule.objection(to: anchor.serialNumber) {
      warnings.append("In it, \(objection).")
    }
    if !SignatureAlgorithmRule.isStrong(anchor) { warnings.append("It is signed with a weak hash.") }
    if isRoot, !isSelfIssued(anchor) {
      warnings.append("It is not self-signed: trust begins at it, and who issued it does not matter.")
    }
    if anchor.notAfter - time < 90 * 86_400 { warnings.append("It expires within 90 days.") }
    return warnings
  }

  private static func isSelfIssued(_ certificate: Certificate) -> Bool {
    certificate.subject == certificate.issuer && certificate.publicKey.map(certificate.isSigned) == true
  }
}
