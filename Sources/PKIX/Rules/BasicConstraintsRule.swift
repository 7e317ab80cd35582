/// Whoever signs certificates says that it is a CA, and a leaf says that it is none (RFC 5280 section 4.2.1.9).
///
/// RFC 5280 would let a CA's certificate stand as a leaf. A CA that logs in like a device is a theft or a mistake.
enum BasicConstraintsRule: CertificateRule {
  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
  {
    let isAuthority = try CertificateFault.reading { () throws(CertificateError) in
      try certificate.isAuthority
    }
    switch role {
    case .leaf where isAuthority: throw CertificateFault(.forbidden, "a CA's certificate cannot be a leaf")
    case .intermediate where !isAuthority, .anchor where !isAuthority:
      throw CertificateFault(.forbidden, "it does not say that it is a CA (basicConstraints CA:TRUE)")
    case .leaf, .intermediate, .anchor: break
    }
  }
}
