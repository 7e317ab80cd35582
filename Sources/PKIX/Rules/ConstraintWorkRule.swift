/// Comparing every name on a path with every constraint above it is bounded work.
///
/// OpenSSL's own bound is a million comparisons for each certificate.
enum ConstraintWorkRule: PathRule {
  private static let maximumComparisons = 65_536

  static func check(_ path: [Certificate], under constraints: NameConstraints) throws(CertificateFault) {
    let count = constraints.permitted.count + constraints.excluded.count
    guard count > 0 else { return }
    var names = 0
    for certificate in path {
      names += 1
      names += try CertificateFault.reading { () throws(CertificateError) in
        try certificate.subjectAlternativeNames.count
      }
    }
    guard names * count <= maximumComparisons else {
      throw CertificateFault(.forbidden, "too many names for as many name constraints")
    }
  }
}
