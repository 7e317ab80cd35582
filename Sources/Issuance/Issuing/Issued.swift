public import Licensing
public import PKIX

/// What an enrollment or a renewal hands out.
public struct Issued: Sendable {
  public let certificate: Certificate
  /// From the leaf's issuer up, as far as the server knows.
  public let issuers: [Certificate]
  public let identity: Identity
  public let organization: Slug

  public init(certificate: Certificate, issuers: [Certificate], identity: Identity, organization: Slug) {
    self.certificate = certificate
    self.issuers = issuers
    self.identity = identity
    self.organization = organization
  }

  /// When the device should renew: after two thirds of the certificate's time.
  public static func renewAfter(_ certificate: Certificate) -> Instant {
    Instant(seconds: certificate.notBefore + (certificate.notAfter - certificate.notBefore) * 2 / 3)
  }
}

/// Why nothing was issued; nothing was spent either.
public enum IssuanceFailure: Error, Sendable {
  /// The token is unknown, expired, spent, revoked or foreign: one answer for all.
  case enrollmentInvalid
  case request(RequestError)
  /// Another identity of the organization has a certificate over this key.
  case keyInUse
  case noIssuingAuthority
  /// The certificate to be renewed came from an external CA.
  case authorityExternal
  /// The certificate that should be renewed is no longer a living one of this identity.
  case certificateUnknown
  case identitySuspended
  case organizationSuspended
  /// The identity's name cannot stand in a certificate.
  case nameNotIssuable(IdentityName)
  /// The enrollment brings a seat along, and there is none.
  case seat(SeatRefusal)
}
