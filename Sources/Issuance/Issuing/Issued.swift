public import Licensing
public import PKIX

/// What an enrollment or a renewal hands out.
public struct Issued: Sendable {
  public let certificate: Certificate
  /// From the leaf's issuer up, as far as the server knows.
  public let issuers: [Certificate]
  public let identity: Identity
  public let organization: Slug
  /// When the device should renew.
  public let renewAfter: Instant

  public init(
    certificate: Certificate, issuers: [Certificate], identity: Identity, organization: Organization
  ) {
    self.certificate = certificate
    self.issuers = issuers
    self.identity = identity
    self.organization = organization.slug
    renewAfter = organization.certificates.renewal(
      notBefore: certificate.notBefore, notAfter: certificate.notAfter)
  }
}

/// Why nothing was issued; nothing was spent either.
public enum IssuanceFailure: Error, Sendable {
  /// The token is unknown, expired, spent, revoked or foreign: one answer for all.
  case enrollmentInvalid
  case request(RequestError)
  /// Another identity of the organization has a certificate over this key, or it is a CA's.
  case keyInUse
  /// The organization does not take this key, in words.
  case keyRefused(String)
  case noIssuingAuthority
  /// The certificate to be renewed came from an external CA.
  case authorityExternal
  /// The certificate to be renewed was revoked.
  case certificateRevoked
  /// The certificate to be renewed has a successor that was used, or whose overlap is over.
  case superseded
  /// The authority of the certificate to be renewed was revoked or deleted.
  case authorityRevoked
  /// The certificate that should be renewed is no longer a living one of this identity.
  case certificateUnknown
  case identitySuspended
  case organizationSuspended
  /// The identity's name cannot stand in a certificate.
  case nameNotIssuable(IdentityName)
  /// The enrollment brings a seat along, and there is none.
  case seat(SeatRefusal)
}
