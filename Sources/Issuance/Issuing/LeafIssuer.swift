internal import Cryptography
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
  /// - Throws: `IssuanceFailure`, `StorageError`.
  func issue(
    _ request: VerifiedRequest, spki: [UInt8], to identity: Identity, of organization: Organization,
    by origin: CertificateOrigin, in work: any IssuanceUnitOfWork
  ) async throws -> (issued: Issued, row: Key<CertificateRecord>) {
    let owner = organization.record.key
    guard identity.name.isIssuable else { throw IssuanceFailure.nameNotIssuable(identity.name) }
    try await requireWelcome(request.publicKey, spki: spki, from: identity, of: organization, in: work)
    for authority in try await work.issuers(for: owner) {
      let chain = try authority.chain()
      guard let issuer = chain.first else { continue }
      let certificate: Certificate
      do {
        certificate = try await sign(request, for: identity, of: organization, by: authority, issuer)
      } catch IssuingError.authorityOutsideItsTime {
        // An older one may reach further, or be valid already.
        continue
      }
      let row = try await store(certificate, for: identity, by: authority, origin: origin, in: work)
      let issued = Issued(
        certificate: certificate, issuers: chain, identity: identity, organization: organization)
      return (issued, row)
    }
    throw IssuanceFailure.noIssuingAuthority
  }

  /// Hands out again what was issued before.
  func reissue(
    _ row: CertificateRecord, to identity: Identity, of organization: Organization,
    in work: any IssuanceUnitOfWork
  ) async throws -> Issued {
    let authority = try await work.authority(row.authorityID, of: organization.record.key, locked: false)
    guard let authority else { throw IssuanceFailure.authorityRevoked }
    return Issued(
      certificate: try Certificate(der: row.facts.der), issuers: try authority.chain(), identity: identity,
      organization: organization)
  }

  private func requireWelcome(
    _ key: PublicKey, spki: [UInt8], from identity: Identity, of organization: Organization,
    in work: any IssuanceUnitOfWork
  ) async throws {
    if let types = organization.certificates.keyTypes, !types.contains(key.kind.description) {
      throw IssuanceFailure.keyRefused(
        "The key is of kind \(key.kind); this organization takes \(types.joined(separator: ", ")).")
    }
    let history = try await work.history(ofKey: spki, organization: organization.record.key)
    if history.isCompromised {
      throw IssuanceFailure.keyRefused(
        "A certificate over this key was revoked because others may have the key; make a new one.")
    }
    if history.isAuthority || history.holder.map({ $0 != identity.record.key }) == true {
      throw IssuanceFailure.keyInUse
    }
  }

  private func store(
    _ certificate: Certificate, for identity: Identity, by authority: Authority, origin: CertificateOrigin,
    in work: any IssuanceUnitOfWork
  ) async throws -> Key<CertificateRecord> {
    let facts = try CertificateFacts(certificate)
    let row: CertificateRecord
    do {
      row = try await work.insert(
        facts, authority: authority, identity: identity.record.key, origin: origin)
    } catch StorageError.conflict(.deviceKey) {
      throw IssuanceFailure.keyInUse
    }
    try await work.record(
      AuditEvent(
        origin.event, organization: authority.organization, actor: origin.actor(identity),
        identity: identity.record.key,
        detail: ["serialNumber": facts.serialNumber, "authority": authority.record.id.description]))
    return row.key
  }

  /// Off the event loops: an RSA signature takes milliseconds.
  @concurrent
  private func sign(
    _ request: VerifiedRequest, for identity: Identity, of organization: Organization,
    by authority: Authority, _ issuer: Certificate
  ) async throws -> Certificate {
    let signer = try keys.signer(for: authority, of: organization.record.id)
    return try IssuingAuthority(certificate: issuer, signer: signer).issue(
      policy.profile(of: identity, in: organization, under: authority), to: request, at: clock())
  }
}

extension CertificateOrigin {
  fileprivate var event: String {
    switch self {
    case .renewal: "certificate.renewed"
    case .enrollment: "certificate.issued"
    }
  }

  fileprivate func actor(_ identity: Identity) -> Actor {
    switch self {
    case .renewal: .identity(identity.record.key)
    case .enrollment(_, let id): .enrollment(id)
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
