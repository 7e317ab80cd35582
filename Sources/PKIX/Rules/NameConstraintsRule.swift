/// Only CAs have name constraints, and each says something that can be followed (RFC 5280 section 4.2.1.10).
///
/// Whether names obey them is OpenSSL's to judge; it would pass over a constraint that no name can match.
enum NameConstraintsRule: CertificateRule {
  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
  {
    let constraints = try CertificateFault.reading { () throws(CertificateError) in
      try certificate.nameConstraints
    }
    guard let constraints else { return }
    guard role != .leaf else { throw CertificateFault(.forbidden, "name constraints in a leaf") }
    guard !constraints.permitted.isEmpty || !constraints.excluded.isEmpty else {
      throw CertificateFault(.malformed, "the name constraints are empty")
    }
    guard (constraints.permitted + constraints.excluded).allSatisfy(isFit) else {
      throw CertificateFault(.malformed, "a name constraint is malformed")
    }
  }

  private static func isFit(_ base: GeneralName) -> Bool {
    switch base {
    case .dns(let bytes): bytes.isEmpty || HostName.isFit(bytes, permitsWildcard: false)
    case .uri(let bytes): HostName.isFit(withoutPeriod(bytes), permitsWildcard: false)
    case .email(let bytes): isMailbox(bytes) || HostName.isFit(withoutPeriod(bytes), permitsWildcard: false)
    case .ip(let bytes):
      (bytes.count == 8 || bytes.count == 32) && isPrefix(bytes.suffix(bytes.count / 2))
    case .directoryName, .registeredID, .otherName, .unsupported: true
    }
  }

  /// Whether a mask is ones and then zeros, as in CIDR.
  private static func isPrefix(_ mask: ArraySlice<UInt8>) -> Bool {
    let rest = mask.drop { $0 == 0xff }
    return rest.dropFirst().allSatisfy { $0 == 0 } && (rest.first.map { ~$0 & (~$0 &+ 1) == 0 } ?? true)
  }

  private static func withoutPeriod(_ bytes: [UInt8]) -> [UInt8] {
    bytes.first == UInt8(ascii: ".") ? Array(bytes.dropFirst()) : bytes
  }

  private static func isMailbox(_ bytes: [UInt8]) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && HostName.isFit(Array(parts[1]), permitsWildcard: false)
  }
}
