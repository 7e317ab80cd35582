/// A rule on one certificate in its place on a path; one per file.
protocol CertificateRule: SendableMetatype {
  /// Throws when the certificate breaks the rule.
  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
}

/// What a rule finds: the failure without the place, which the caller knows.
struct CertificateFault: Error {
  let kind: PathFailure.Kind
  let reason: String

  init(_ kind: PathFailure.Kind = .forbidden, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// Reads a part of a certificate; one that is malformed is a fault.
  static func reading<Value>(
    _ part: () throws(CertificateError) -> Value
  ) throws(CertificateFault) -> Value {
    do { return try part() } catch { throw CertificateFault(.malformed, "\(error)") }
  }
}

/// All rules on single certificates, the cheap ones first.
enum Rules {
  private static let all: [any CertificateRule.Type] = [
    VersionRule.self, SerialNumberRule.self, IssuerNameRule.self, ExtensionsRule.self, CriticalityRule.self,
    BasicConstraintsRule.self, KeyUsageRule.self, ExtendedKeyUsageRule.self, NameConstraintsRule.self,
    SubjectAltNameRule.self, SignatureAlgorithmRule.self, PublicKeyRule.self,
  ]

  static func check(
    _ certificate: Certificate, as role: PathRole, under policy: PathPolicy
  ) throws(PathFailure) {
    for rule in all {
      do throws(CertificateFault) {
        try rule.check(certificate, as: role, under: policy)
      } catch {
        throw PathFailure(error.kind, error.reason, role: role)
      }
    }
  }
}
