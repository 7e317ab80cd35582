/// Under constraints on URIs, a URI in the leaf says plainly which host it is about: `scheme://host[:port]`, then a
/// slash or nothing (RFC 5280 section 4.2.1.10: a URI without a fully qualified host name is rejected).
///
/// OpenSSL takes everything up to the first colon or slash for the host, so that `x://good.example:1@bad.example/`
/// would pass for one of good.example, and `x://bad.example?/` for none of bad.example.
enum URIConstraintRule: PathRule {
  static func check(_ path: [Certificate], under constraints: NameConstraints) throws(CertificateFault) {
    guard (constraints.permitted + constraints.excluded).contains(where: isURI) else { return }
    let names = try CertificateFault.reading { () throws(CertificateError) in
      try path[0].subjectAlternativeNames
    }
    for case .uri(let bytes) in names where !hasPlainHost(bytes) {
      throw CertificateFault(.forbidden, "a URI without a plain host name under constraints on URIs")
    }
  }

  private static func isURI(_ name: GeneralName) -> Bool { if case .uri = name { true } else { false } }

  private static func hasPlainHost(_ uri: [UInt8]) -> Bool {
    guard let colon = uri.firstIndex(of: UInt8(ascii: ":")),
      uri[colon...].starts(with: Array("://".utf8))
    else { return false }
    let rest = uri[(colon + 3)...]
    let parts = rest.prefix { $0 != UInt8(ascii: "/") }
      .split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    return HostName.isFit(Array(parts[0]), permitsWildcard: false)
      && (parts.count == 1 || parts[1].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
  }
}
