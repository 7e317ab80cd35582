/// Where Usher decides otherwise than x509-limbo expects, and why that cannot hurt trust.
public enum LimboDifferences {
  public struct Difference: Sendable {
    /// Accepted where the suite refuses; otherwise refused where it accepts.
    public let isLax: Bool
    public let reason: String
  }

  /// What is wrong with a verdict on a case, the table considered; nil when nothing is.
  public static func fault(in isAccepted: Bool, on test: LimboCase, _ reason: String) -> String? {
    switch (isAccepted == test.isSuccessExpected, all[test.id]) {
    case (true, nil): nil
    case (true, _?): "\(test.id) agrees by now; take it out of the table"
    case (false, nil) where isAccepted: "\(test.id) is too lax: \(reason)"
    case (false, nil): "\(test.id) is stricter, and no table says why: \(reason)"
    case (false, let difference?):
      difference.isLax == isAccepted ? nil : "\(test.id): the table says otherwise: \(reason)"
    }
  }

  /// Every case that is in the table, by its id.
  public static let all: [String: Difference] = Dictionary(
    uniqueKeysWithValues: [
      (true, serverName, serverNameCases), (true, keyIdentifier, keyIdentifierCases),
      (true, anchorConformance, anchorConformanceCases),
      (true, critical, criticalCases), (true, underscore, ["rfc5280::san::underscore-dns"]),
      (false, authorityAsLeaf, ["pathlen::validation-ignores-pathlen-in-leaf", "rfc5280::ca-as-leaf"]),
      (false, missingPurpose, ["rfc5280::eku::ee-without-eku"]),
      (false, depth, ["pathlen::max-chain-depth-1-self-issued"]),
    ].flatMap { isLax, reason, identifiers in
      identifiers.map { ($0, Difference(isLax: isLax, reason: reason)) }
    })

  static let serverName =
    "The certificate does not fit the name of a server. A client is not looked up by name: its identity is what its authority's mapping takes, compared byte for byte."
  static let serverNameCases = [
    "webpki::cn::ipv4-hex-mismatch", "webpki::cn::ipv4-leading-zeros-mismatch",
    "webpki::cn::ipv6-uppercase-mismatch", "webpki::cn::ipv6-uncompressed-mismatch",
    "webpki::cn::ipv6-non-rfc5952-mismatch", "webpki::cn::punycode-not-in-san",
    "webpki::cn::utf8-vs-punycode-mismatch", "webpki::cn::not-in-san", "webpki::cn::case-mismatch",
    "webpki::san::mismatch-domain-san", "webpki::san::mismatch-subdomain-san",
    "webpki::san::mismatch-subdomain-apex-san", "webpki::san::mismatch-apex-subdomain-san",
    "webpki::san::wildcard-match-across-labels-san", "webpki::san::no-san",
    "webpki::san::public-suffix-wildcard-san", "webpki::san::public-suffix-multi-label-wildcard-san",
    "webpki::san::public-suffix-private-namespace-wildcard-san",
  ]

  static let keyIdentifier =
    "Key identifiers only help to find candidates; the signature decides. Certificates by the `openssl x509 -req` of OpenSSL 1.1 have none."
  static let keyIdentifierCases = [
    "rfc5280::aki::leaf-missing-aki", "rfc5280::aki::intermediate-missing-aki",
    "rfc5280::aki::cross-signed-root-missing-aki", "rfc5280::ski::intermediate-missing-ski",
  ]

  static let anchorConformance =
    "An anchor is trusted because it was registered, with a warning for what only its own conformance concerns."
  static let anchorConformanceCases = [
    "rfc5280::ski::root-missing-ski", "rfc5280::root-non-critical-basic-constraints",
    "rfc5280::nc::permitted-dns-match-noncritical", "webpki::aki::root-with-aki-missing-keyidentifier",
    "webpki::aki::root-with-aki-authoritycertissuer", "webpki::aki::root-with-aki-authoritycertserialnumber",
    "webpki::aki::root-with-aki-all-fields", "webpki::aki::root-with-aki-ski-mismatch",
    "webpki::eku::root-has-eku",
  ]

  static let critical =
    "RFC 5280 permits a critical extended key usage and a critical alternative name; only the CA/Browser Forum does not."
  static let criticalCases = [
    "webpki::eku::ee-critical-eku", "webpki::san::san-critical-with-nonempty-subject",
  ]

  static let underscore =
    "Names with underscores are common inside organizations; names are compared byte for byte, so they mean nothing else."

  static let authorityAsLeaf = "A CA does not log in like a device, though RFC 5280 would allow it."

  static let missingPurpose =
    "A leaf must name clientAuth unless its authority allows otherwise; webpki::eku::ee-without-eku expects the same."

  static let depth = "The bound on work counts every certificate, self-issued ones too."
}
