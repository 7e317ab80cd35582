/// A wildcard in the leaf must not cover a name that a CA on the path excludes (RFC 9525 section 6.3 meets RFC 5280
/// section 4.2.1.10): `*.example.com` stands for `bar.example.com`.
///
/// OpenSSL compares the wildcard as if it were a name.
enum WildcardConstraintRule: PathRule {
  static func check(_ path: [Certificate], under constraints: NameConstraints) throws(CertificateFault) {
    guard !constraints.excluded.isEmpty else { return }
    let names = try CertificateFault.reading { () throws(CertificateError) in
      try path[0].subjectAlternativeNames
    }
    let domains = names.compactMap { name -> [UInt8]? in
      guard case .dns(let bytes) = name, bytes.starts(with: Array("*.".utf8)) else { return nil }
      return HostName.lowercased(bytes.dropFirst())
    }
    if domains.isEmpty { return }
    for case .dns(let bytes) in constraints.excluded {
      let excluded = HostName.lowercased(bytes)
      // `.example.com` is what the wildcard's names end in, and so does an excluded name below it.
      guard !domains.contains(where: { excluded.suffix($0.count).elementsEqual($0) }) else {
        throw CertificateFault(.forbidden, "a wildcard covers a name that a CA excludes")
      }
    }
  }
}
