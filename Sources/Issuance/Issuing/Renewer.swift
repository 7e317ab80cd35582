internal import Cryptography
public import Licensing
internal import PKIX

/// Gives a device a certificate over a new key (or the same), by the right of the one it presents.
public struct Renewer: Sendable {
  private let units: any UnitsOfWork
  private let issuer: LeafIssuer

  public init(units: any UnitsOfWork, issuer: LeafIssuer) {
    self.units = units
    self.issuer = issuer
  }

  /// - Parameters:
  ///   - body: a PKCS#10 request in PEM, DER or base64.
  ///   - certificate: the row of the certificate that the device presents.
  /// - Throws: `IssuanceFailure`, `StorageError`.
  public func renew(
    _ body: [UInt8], certificate: Key<CertificateRecord>, identity: Key<Identity>, organization: Slug
  ) async throws -> Issued {
    let request: VerifiedRequest
    do throws(RequestError) {
      request = try CertificationRequest(body).verified()
    } catch {
      throw IssuanceFailure.request(error)
    }
    let spki = try request.publicKey.fingerprint().bytes
    return try await units.transact { work in
      guard let organization = try await work.organization(organization, locked: false),
        let row = try await work.certificate(certificate), row.organization == organization.record.key,
        row.identity == identity, row.status == .active,
        let identity = try await work.identity(.id(row.identityID), of: organization.record.key, locked: true)
      else { throw IssuanceFailure.certificateUnknown }
      guard row.source == .issued else { throw IssuanceFailure.authorityExternal }
      if organization.status == .suspended { throw IssuanceFailure.organizationSuspended }
      if identity.status == .suspended { throw IssuanceFailure.identitySuspended }
      return try await issuer.issue(
        request, spki: spki, to: identity, of: organization, actor: .identity(identity.record.key),
        event: "certificate.renewed", in: work
      ).issued
    }
  }
}
