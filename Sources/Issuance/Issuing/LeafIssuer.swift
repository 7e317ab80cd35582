internal import Licensing
public import PKIX

/// Signs a device's certificate from the database's row of whom it is for; of what the device asked for, only the
/// public key goes in.
public struct LeafIssuer: Sendable {
  private let keys: AuthorityKeys
  private let policy: IssuancePolicy
  private let clock: @Sendable () -> Int64

  /// `clock` gives seconds since 1970: certificates are judged by the server's own clock.
  public init(keys: AuthorityKeys, policy: IssuancePolicy, clock: @escaping @Sendable () -> Int64) {
    self.keys = keys
    self.policy = policy
    self.clock = clock
  }

  /// Signs, stores and records, in the caller's transaction.
  ///
  /// - Throws: `IssuanceFailure.keyInUse`, `.noIssuingAuthority`, `.nameNotIssuable`; `StorageError`.
  func issue(
    _ request: VerifiedRequest, spki: [UInt8], to identity: Identity, of organization: Organization,
    actor: Actor,
    event: String, in work: any IssuanceUnitOfWork
  ) async throws -> (issued: Issued, row: Key<CertificateRecord>) {
    let owner = organization.record.key
    guard identity.name.isIssuable else { throw IssuanceFailure.nameNotIssuable(identity.name) }
    if let holder = try await work.holder(ofKey: spki, organization: owner), holder != identity.record.key {
      throw IssuanceFailure.keyInUse
    }
    guard let authority = try await work.issuer(for: owner) else { throw IssuanceFailure.noIssuingAuthority }
    let chain = try authority.chain()
    guard let issuer = chain.first else { throw IssuanceFailure.noIssuingAuthority }
    let certificate = try await sign(request, for: identity, of: organization, by: authority, issuer)
    let facts = try CertificateFacts(certificate)
    let row = try await work.insert(
      facts, source: .issued, authority: authority, identity: identity.record.key)
    try await work.record(
      AuditEvent(
        event, organization: owner, actor: actor, identity: identity.record.key,
        detail: ["serialNumber": facts.serialNumber, "authority": authority.record.id.description]))
    let issued = Issued(
      certificate: certificate, issuers: chain, identity: identity, organization: organization.slug)
    return (issued, row.key)
  }

  /// Off the event loops: an RSA signature takes milliseconds.
  @concurrent
  private func sign(
    _ request: VerifiedRequest, for identity: Identity, of organization: Organization,
    by authority: Authority,
    _ issuer: Certificate
  ) async throws -> Certificate {
    let signer = try keys.signer(for: authority, of: organization.record.id)
    let profile = LeafProfile(
      commonName: identity.name.description,
      uri: "spiffe://\(organization.slug).\(policy.baseDomain)/\(identity.name)", lifetime: policy.leafSeconds
    )
    do throws(IssuingError) {
      return try IssuingAuthority(certificate: issuer, signer: signer).issue(
        profile, to: request, at: clock())
    } catch {
      if case .authorityOutsideItsTime = error { throw IssuanceFailure.noIssuingAuthority }
      throw error
    }
  }
}

extension Authority {
  /// The authority's certificate, and what the server knows above it; empty while it has none.
  public func chain() throws(CertificateError) -> [Certificate] {
    guard let certificate else { return [] }
    var chain = [try Certificate(der: certificate)]
    for intermediate in intermediates { chain.append(try Certificate(der: intermediate)) }
    return chain
  }
}
