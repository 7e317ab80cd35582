import Cryptography
import Directory
import Issuance
import Licensing
import PKIX

/// A certificate can be read, shown and named without surprise, and no stranger's is ever trusted.
enum CertificateTarget {
  private static let now: Int64 = 1_800_000_000
  /// A CA whose key lives as long as the process: nothing that is fed in was signed with it.
  private static let authority: PathValidator? = {
    guard let key = try? PrivateKey(generating: .p256),
      let root = try? IssuingAuthority.root(
        RootProfile(commonName: "Fuzz", permittedURIHost: nil), signer: key, at: now)
    else { return nil }
    return try? PathValidator(anchor: root.certificate)
  }()

  static func run(_ bytes: [UInt8]) {
    let parsed = bytes.first == 0x30 ? try? [Certificate(der: bytes)] : try? Certificate.all(inPEM: bytes)
    guard let parsed, let certificate = parsed.first else { return }
    precondition((try? Certificate(der: certificate.der)) == certificate)
    precondition(certificate.subject.description.utf8.allSatisfy { (0x20...0x7e).contains($0) })
    precondition(certificate.issuer.description.utf8.allSatisfy { (0x20...0x7e).contains($0) })
    _ = try? AnchorCheck.warnings(on: certificate, at: certificate.notBefore)
    // Its own anchor: what comes along may complete the path.
    if let own = try? PathValidator(anchor: certificate, intermediates: Array(parsed.dropFirst(2).prefix(4)))
    {
      _ = try? own.judge(parsed.dropFirst().first ?? certificate, at: certificate.notBefore)
    }
    let verdict = try? authority?.judge(certificate, presented: Array(parsed.dropFirst().prefix(10)), at: now)
    precondition(verdict == nil)
    for field in MappingRule.Field.allCases {
      let name = try? IdentityMapping.name(of: certificate, by: [MappingRule(field: field)], group: "")
      if let name { precondition(!name.value.isEmpty && name.value.count <= IdentityMapping.longestValue) }
    }
    _ = MatchRule(extendedKeyUsages: ["1.2.3"], policies: ["1.2.3"], organizationalUnit: "x", uriPrefix: "x")
      .admits(certificate)
  }
}
