/// A rule on one certificate in its place on a path; one per file.
protocol CertificateRule: SendableMetatype {
  /// Throws when the certificate breaks the rule.
  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
}

/// A rule on a whole path, leaf first, under all name constraints of the CAs on it; one per file.
protocol PathRule: SendableMetatype {
  /// Throws when the leaf breaks the rule.
  static func check(_ path: [Certificate], under constraints: NameConstraints) throws(CertificateFault)
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

/// All rules, the cheap ones first.
enum Rules {
  private static let all: [any CertificateRule.Type] = [
    VersionRule.self, SerialNumberRule.self, IssuerNameRule.self, ExtensionsRule.self, CriticalityRule.self,
    BasicConstraintsRule.self, KeyUsageRule.self, ExtendedKeyUsageRule.self, NameConstraintsRule.self,
    SubjectAltNameRule.self, SignatureAlgorithmRule.self, PublicKeyRule.self,
  ]

  /// What a certificate must hold to that proves a key and is good for nothing else.
  private static let ofProofs: [any CertificateRule.Type] = [
    ExtensionsRule.self, BasicConstraintsRule.self, SignatureAlgorithmRule.self,
  ]

  static func check(
    _ certificate: Certificate, as role: PathRole, under policy: PathPolicy
  ) throws(PathFailure) {
    let isProof = role == .leaf && policy.purpose == .proofOfKey
    for rule in isProof ? ofProofs : all {
      do throws(CertificateFault) {
        try rule.check(certificate, as: role, under: policy)
      } catch {
        throw PathFailure(error.kind, error.reason, role: role)
      }
    }
  }

  private static let onPaths: [any PathRule.Type] = [
    ConstraintWorkRule.self, WildcardConstraintRule.self, URIConstraintRule.self,
  ]

  /// Judges a path whose certificates hold to all rules on their own.
  static func check(_ path: [Certificate]) throws(PathFailure) {
    do throws(CertificateFault) {
      var (permitted, excluded): ([GeneralName], [GeneralName]) = ([], [])
      for authority in path.dropFirst() {
        let constraints = try CertificateFault.reading { () throws(CertificateError) in
          try authority.nameConstraints
        }
        permitted += constraints?.permitted ?? []
        excluded += constraints?.excluded ?? []
      }
      let constraints = NameConstraints(permitted: permitted, excluded: excluded)
      for rule in onPaths { try rule.check(path, under: constraints) }
    } catch {
      throw PathFailure(error.kind, error.reason, role: .leaf)
    }
  }
}
