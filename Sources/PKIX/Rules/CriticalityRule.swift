/// Extensions are critical where RFC 5280 demands that nobody overlooks them; on an anchor it is only a warning.
///
/// Name constraints are left out: they are obeyed whether critical or not, and the CA/Browser Forum permits both.
enum CriticalityRule: CertificateRule {
  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
  {
    guard role == .intermediate else { return }
    let mustBeCritical: Set<ObjectIdentifier> = [.basicConstraints, .policyConstraints, .inhibitAnyPolicy]
    for element in certificate.extensions
    where mustBeCritical.contains(element.identifier) && !element.isCritical {
      throw CertificateFault(.forbidden, "the extension \(element.identifier) must be critical")
    }
  }
}
