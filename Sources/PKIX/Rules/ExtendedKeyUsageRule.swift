/// The leaf is for client authentication by name, and no CA above it is restricted to something else
/// (RFC 5280 section 4.2.1.12).
///
/// `anyExtendedKeyUsage` in a leaf is refused: a certificate for every purpose was meant for none in particular.
enum ExtendedKeyUsageRule: CertificateRule {
  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
  {
    let usages = try CertificateFault.reading { () throws(CertificateError) in
      try certificate.extendedKeyUsage
    }
    guard let usages else {
      if role == .leaf, !policy.permitsMissingPurpose {
        throw CertificateFault(.wrongPurpose, "it names no purpose (extendedKeyUsage clientAuth)")
      }
      return
    }
    guard !usages.isEmpty else { throw CertificateFault(.malformed, "the extended key usage is empty") }
    if role == .leaf, usages.contains(.anyExtendedKeyUsage) {
      throw CertificateFault(.wrongPurpose, "anyExtendedKeyUsage in a leaf")
    }
    guard usages.contains(.clientAuth) else {
      throw CertificateFault(.wrongPurpose, "its extended key usage is not clientAuth")
    }
  }
}
