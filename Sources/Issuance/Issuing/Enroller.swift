internal import Cryptography
public import Licensing
internal import PKIX

/// Turns an enrollment token and a certification request into a certificate, or spends nothing.
public struct Enroller: Sendable {
  /// How long the same key gets the same answer again, for a client that lost it.
  public static let repeatSeconds: Int64 = 600

  private let units: any UnitsOfWork
  private let issuer: LeafIssuer
  private let makeID: @Sendable () throws -> Identifier

  public init(units: any UnitsOfWork, issuer: LeafIssuer, makeID: @escaping @Sendable () throws -> Identifier)
  {
    self.units = units
    self.issuer = issuer
    self.makeID = makeID
  }

  /// - Parameters:
  ///   - tokenHash: SHA-256 of the token.
  ///   - body: a PKCS#10 request in PEM, DER or base64.
  /// - Throws: `IssuanceFailure`, `StorageError`.
  public func enroll(tokenHash: [UInt8], request body: [UInt8]) async throws -> Issued {
    let isUsable = try await units.read { work in
      guard let (enrollment, _) = try await work.enrollment(tokenHash: tokenHash, locked: false) else {
        return false
      }
      return enrollment.mayBeUsed(at: try await work.now())
    }
    guard isUsable else { throw IssuanceFailure.enrollmentInvalid }
    let request: VerifiedRequest
    do throws(RequestError) {
      request = try CertificationRequest(body).verified()
    } catch {
      throw IssuanceFailure.request(error)
    }
    let spki = try request.publicKey.fingerprint().bytes
    return try await units.transact { work in
      try await enroll(request, spki: spki, tokenHash: tokenHash, in: work)
    }
  }

  private func enroll(
    _ request: VerifiedRequest, spki: [UInt8], tokenHash: [UInt8], in work: any IssuanceUnitOfWork
  ) async throws -> Issued {
    let now = try await work.now()
    guard let (enrollment, organization) = try await work.enrollment(tokenHash: tokenHash, locked: true),
      enrollment.mayBeUsed(at: now)
    else { throw IssuanceFailure.enrollmentInvalid }
    if organization.status == .suspended { throw IssuanceFailure.organizationSuspended }
    let key = enrollment.record.key
    if let row = try await work.certificate(ofKey: spki, enrolledBy: key), row.status == .active,
      now <= row.createdAt.adding(seconds: Self.repeatSeconds),
      let identity = try await work.identity(.id(row.identityID), of: organization.record.key, locked: false)
    {
      return try await issuer.reissue(row, to: identity, of: organization, in: work)
    }
    guard now < enrollment.expiresAt, enrollment.used < enrollment.uses else {
      throw IssuanceFailure.enrollmentInvalid
    }

    let actor = Actor.enrollment(enrollment.record.id)
    let identity = try await identity(for: enrollment, request, of: organization, actor: actor, in: work)
    let (issued, row) = try await issuer.issue(
      request, spki: spki, to: identity, of: organization, by: .enrollment(key, enrollment.record.id),
      in: work)
    try await work.spend(key, spki: spki, certificate: row)
    if let license = enrollment.license,
      let license = try await work.license(license, of: organization.record.key, locked: true),
      case .refused(let refusal) = try await work.assign(license, to: identity, actor: actor)
    {
      throw IssuanceFailure.seat(refusal)
    }
    return issued
  }

  /// The identity that the enrollment names, or a new one named from the request's CN, or by chance.
  private func identity(
    for enrollment: Enrollment, _ request: VerifiedRequest, of organization: Organization, actor: Actor,
    in work: any IssuanceUnitOfWork
  ) async throws -> Identity {
    let owner = organization.record.key
    if enrollment.identity != nil {
      guard let name = enrollment.identityName,
        let identity = try await work.identity(.name(name), of: owner, locked: true)
      else { throw IssuanceFailure.enrollmentInvalid }
      if identity.status == .suspended { throw IssuanceFailure.identitySuspended }
      return identity
    }
    let identity = try await newIdentity(
      request.commonName.flatMap(IdentityName.init).flatMap { $0.isIssuable ? $0 : nil }, of: owner, in: work)
    try await work.record(
      AuditEvent("identity.created", organization: owner, actor: actor, identity: identity.record.key))
    return identity
  }

  /// Named as wished if that is free, else by its own id.
  private func newIdentity(
    _ wish: IdentityName?, of organization: Key<Organization>, in work: any IssuanceUnitOfWork
  ) async throws -> Identity {
    let record = NewRecord(id: try makeID())
    do {
      if let wish {
        return try await work.insert(NewIdentity(record: record, organization: organization, name: wish))
      }
    } catch StorageError.conflict(.identityName) {}
    guard let name = IdentityName("device-" + record.id.description.replacingHyphens()) else {
      throw StorageError.fault("no name for an identity")
    }
    return try await work.insert(NewIdentity(record: record, organization: organization, name: name))
  }
}

extension Enrollment {
  /// Whether a call with its token can lead anywhere: a use is left, or the last one may be repeated.
  func mayBeUsed(at now: Instant) -> Bool {
    !isRevoked && (now < expiresAt && used < uses || isRepeatable(at: now))
  }

  func isRepeatable(at now: Instant) -> Bool {
    guard !isRevoked, let lastUse else { return false }
    return now.microseconds(since: lastUse.at) <= Enroller.repeatSeconds * 1_000_000
  }
}

extension String {
  fileprivate func replacingHyphens() -> String { filter { $0 != "-" } }
}
