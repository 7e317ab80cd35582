/// Key usage, where it is present, permits what the key does here (RFC 5280 section 4.2.1.3).
enum KeyUsageRule: CertificateRule {
  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
  {
    guard
      let usage = try CertificateFault.reading({ () throws(CertificateError) in try certificate.keyUsage })
    else { return }
    switch role {
    case .leaf where usage.contains(.keyCertSign):
      throw CertificateFault(.forbidden, "a leaf's key must not sign certificates (keyCertSign)")
    case .leaf where !usage.contains(.digitalSignature):
      throw CertificateFault(.wrongPurpose, "the key usage lacks digitalSignature")
    case .intermediate where !usage.contains(.keyCertSign), .anchor where !usage.contains(.keyCertSign):
      throw CertificateFault(.forbidden, "the key usage lacks keyCertSign")
    case .leaf, .intermediate, .anchor: break
    }
  }
}
