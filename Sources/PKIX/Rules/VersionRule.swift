/// Version 3 (RFC 5280 section 4.1.2.1): earlier ones have no extensions, so nothing says that a key may not sign.
enum VersionRule: CertificateRule {
  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
  {
    guard certificate.version == 3 else {
      throw CertificateFault(.forbidden, "version \(certificate.version) where 3 is required")
    }
  }
}
