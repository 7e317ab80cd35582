/// Every issuer has a name, and so has every CA (RFC 5280 sections 4.1.2.4 and 4.1.2.6).
enum IssuerNameRule: CertificateRule {
  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
  {
    guard !certificate.issuer.isEmpty else {
      throw CertificateFault(.forbidden, "the issuer's name is empty")
    }
    guard role == .leaf || !certificate.subject.isEmpty else {
      throw CertificateFault(.forbidden, "a CA's name is empty")
    }
  }
}
