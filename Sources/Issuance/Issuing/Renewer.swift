internal import Cryptography
public import Licensing
internal import PKIX

/// Gives a device a certificate over a new key (or the same), by the right of the one it presents.
///
/// A lost answer strands nobody: until its successor is used, or the overlap is over, a certificate renews again. The
/// same key gets the same successor; another key makes the unused one void.
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
        row.identity == identity
      else { throw IssuanceFailure.certificateUnknown }
      guard row.source == .issued else { throw IssuanceFailure.authorityExternal }
      // The lock makes renewals of one identity follow each other.
      guard
        let identity = try await work.identity(.id(row.identityID), of: organization.record.key, locked: true)
      else { throw IssuanceFailure.certificateUnknown }
      try await requireRight(of: row, identity, organization, in: work)
      if let again = try await settle(row, spki: spki, of: organization, in: work) {
        return try await issuer.reissue(again, to: identity, of: organization, in: work)
      }
      return try await issuer.issue(
        request, spki: spki, to: identity, of: organization, by: .renewal(of: row.key), in: work
      ).issued
    }
  }

  private func requireRight(
    of row: CertificateRecord, _ identity: Identity, _ organization: Organization,
    in work: any IssuanceUnitOfWork
  ) async throws {
    if organization.status == .suspended { throw IssuanceFailure.organizationSuspended }
    if identity.status == .suspended { throw IssuanceFailure.identitySuspended }
    // Read again under the identity's lock: it may have been revoked meanwhile.
    guard try await work.certificate(row.key)?.status == .active else {
      throw IssuanceFailure.certificateRevoked
    }
    let authority = try await work.authority(
      row.authorityID, of: organization.record.key, locked: false)
    guard let authority, authority.status != .revoked else { throw IssuanceFailure.authorityRevoked }
  }

  /// What becomes of the successors that the certificate already has: the one to be handed out again, or nil after
  /// unused ones over other keys are made void.
  private func settle(
    _ row: CertificateRecord, spki: [UInt8], of organization: Organization, in work: any IssuanceUnitOfWork
  ) async throws -> CertificateRecord? {
    let owner = organization.record.key
    let successors = try await work.successors(of: row.key, organization: owner)
    guard let first = successors.first else { return nil }
    let now = try await work.now()
    guard successors.allSatisfy({ $0.usedAt == nil }),
      now <= first.createdAt.adding(seconds: organization.certificates.overlapSeconds)
    else { throw IssuanceFailure.superseded }
    for successor in successors where successor.status == .active && now < successor.notAfter {
      if successor.spki == spki { return try await work.certificate(successor.key) }
      try await work.revoke(successor.key, organization: owner, reason: .superseded)
      try await work.record(
        AuditEvent(
          "certificate.revoked", organization: owner, actor: .identity(row.identity), identity: row.identity,
          detail: ["reason": RevocationReason.superseded.name]))
    }
    return nil
  }
}
