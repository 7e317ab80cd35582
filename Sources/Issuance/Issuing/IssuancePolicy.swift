internal import Licensing
internal import PKIX

/// What every certificate we sign has in common, from the configuration.
public struct IssuancePolicy: Sendable {
  /// Under which every organization has its host: an identity is `spiffe://<org>.<baseDomain>/<identity>`.
  public let baseDomain: String
  /// Where anyone reaches CA certificates, CRLs and OCSP, without a slash at the end; nil: certificates say nothing of it.
  public let publicURL: String?

  public init(baseDomain: String, publicURL: String? = nil) {
    self.baseDomain = baseDomain
    self.publicURL = publicURL
  }

  /// The host of an organization's identities.
  func host(of organization: Organization) -> String { "\(organization.slug).\(baseDomain)" }

  /// What the certificate of an identity says: the database's rows and the organization's terms, nothing else.
  func profile(of identity: Identity, in organization: Organization, under authority: Authority)
    -> LeafProfile
  {
    let terms = organization.certificates
    var profile = LeafProfile(
      commonName: terms.subject == .empty ? nil : identity.name.description,
      uri: "spiffe://\(host(of: organization))/\(identity.name)", lifetime: terms.validitySeconds)
    if let publicURL {
      let base = "\(publicURL)/v1/authorities/\(authority.record.id)"
      profile.crlURL = base + "/crl"
      profile.ocspURL = base + "/ocsp"
      profile.issuerURL = base + "/certificate.der"
    }
    return profile
  }
}
