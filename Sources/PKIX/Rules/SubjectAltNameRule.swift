/// A leaf's alternative names can be read, are few, and are names of their kind (RFC 5280 section 4.2.1.6).
///
/// A name that no reader can take for what it is not: visible ASCII, a wildcard only as the whole first label of a DNS
/// name, one `@` in an e-mail address. Underscores in DNS names are common inside organizations and harmless.
enum SubjectAltNameRule: CertificateRule {
  private static let maximumNames = 100

  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
  {
    guard role == .leaf else { return }
    let element = certificate.extensions.first { $0.identifier == .subjectAltName }
    guard let element else {
      guard !certificate.subject.isEmpty else { throw CertificateFault(.forbidden, "it names nobody") }
      return
    }
    guard element.isCritical || !certificate.subject.isEmpty else {
      throw CertificateFault(.forbidden, "the subject is empty and the alternative name not critical")
    }
    let names = try CertificateFault.reading { () throws(CertificateError) in
      try certificate.subjectAlternativeNames
    }
    guard (1...maximumNames).contains(names.count) else {
      throw CertificateFault(.forbidden, "it has \(names.count) alternative names")
    }
    guard names.allSatisfy(isFit) else {
      throw CertificateFault(.malformed, "an alternative name is no such name")
    }
  }

  private static func isFit(_ name: GeneralName) -> Bool {
    switch name {
    case .dns(let bytes): HostName.isFit(bytes, permitsWildcard: true)
    case .email(let bytes):
      bytes.allSatisfy(HostName.isVisible) && bytes.count { $0 == UInt8(ascii: "@") } == 1
        && bytes.first != UInt8(ascii: "@") && bytes.last != UInt8(ascii: "@")
    case .uri(let bytes):
      bytes.allSatisfy(HostName.isVisible)
        && bytes.firstIndex(of: UInt8(ascii: ":")).map { $0 > 0 && $0 < bytes.count - 1 } == true
    case .ip(let bytes): bytes.count == 4 || bytes.count == 16
    case .directoryName, .registeredID, .otherName, .unsupported: true
    }
  }
}
