/// A certificate is valid from `notBefore` through `notAfter`, both included, in whole seconds (RFC 5280 section 4.1.2.5).
enum ValidityRule {
  static func contains(_ certificate: Certificate, _ time: Int64) -> Bool {
    certificate.notBefore <= time && time <= certificate.notAfter
  }

  static func check(
    _ certificates: some Sequence<Certificate>, as role: PathRole, at time: Int64
  ) throws(PathFailure) {
    for certificate in certificates {
      if time > certificate.notAfter { throw PathFailure(.expired, "it has expired", role: role) }
      if time < certificate.notBefore { throw PathFailure(.notYetValid, "it is not valid yet", role: role) }
    }
  }
}
