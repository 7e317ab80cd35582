internal import Cryptography
public import Issuance
public import Licensing
public import PKIX

/// Says what a certificate would be if it connected now, without letting it.
public struct Previewer: Sendable {
  /// Whom the certificate would speak for, and whether it would be served.
  public struct Preview: Sendable {
    public let identity: IdentityName?
    public let isAccepted: Bool
    /// A code of the device surface, or the words of the path's fault.
    public let reason: String
  }

  private let clock: @Sendable () -> Int64

  public init(clock: @escaping @Sendable () -> Int64) { self.clock = clock }

  public func preview(
    _ certificate: Certificate, under authority: Authority, of organization: Organization,
    in work: any IssuanceUnitOfWork
  ) async throws -> Preview {
    let chain = try authority.chain()
    guard let anchor = chain.first else { return refused("the authority has no certificate yet") }
    let known = Array(chain.dropFirst())
    let listings = try await work.listings(
      of: ([certificate] + known).map(\.serialNumber.description), under: authority.record.key)
    let revoked = Set(
      ([certificate] + known).filter { one in listings.contains { $0.names(one) } }.map(\.fingerprint))
    let path: TrustedPath
    do throws(PathFailure) {
      path = try PathValidator(anchor: anchor, intermediates: known, policy: authority.pathPolicy).judge(
        certificate, avoiding: revoked, at: clock()
      ).path
    } catch {
      return refused("\(error)")
    }
    guard authority.proofFingerprint != certificate.fingerprint.bytes else {
      return refused("a proof certificate never authenticates")
    }
    let isListed = path.certificates.contains { revoked.contains($0.fingerprint) }
    switch try await identity(of: certificate, under: authority, in: work) {
    case .known(let identity, let isRevoked):
      return verdict(on: identity, isRevoked: isRevoked || isListed, certificate, authority, organization)
    case .new(let name):
      return verdict(name, isListed ? .certificateRevoked : against(certificate, authority, organization))
    case .nobody(let reason): return refused(reason)
    }
  }

  private enum Finding {
    case known(Identity, isRevoked: Bool)
    case new(IdentityName?)
    case nobody(String)
  }

  private func identity(
    of certificate: Certificate, under authority: Authority, in work: any IssuanceUnitOfWork
  )
    async throws -> Finding
  {
    let owner = authority.organization
    let rows = try await work.certificates(
      .fingerprint(certificate.fingerprint.bytes), of: owner, locked: false)
    let row = rows.first { $0.authority == authority.record.key }
    guard authority.kind == .external else {
      guard let row, let identity = try await work.identity(.id(row.identityID), of: owner, locked: false)
      else {
        return .nobody(PeerRefusal.identityUnknown.rawValue)
      }
      return .known(identity, isRevoked: row.status == .revoked)
    }
    if let match = authority.match, !match.admits(certificate) {
      return .nobody("the authority's match does not admit it")
    }
    let name: ExternalName
    do throws(IdentityMapping.Failure) {
      name = try IdentityMapping.name(of: certificate, by: authority.mapping, group: authority.group)
    } catch {
      return .nobody(error.description)
    }
    if let identity = try await work.identity(named: name, of: owner) {
      return .known(identity, isRevoked: row?.status == .revoked)
    }
    guard authority.autoProvision else { return .nobody(PeerRefusal.identityUnknown.rawValue) }
    return .new(IdentityName(String(decoding: name.value, as: UTF8.self)))
  }

  private func verdict(
    on identity: Identity, isRevoked: Bool, _ certificate: Certificate, _ authority: Authority,
    _ organization: Organization
  ) -> Preview {
    let refusal: PeerRefusal? =
      switch identity.status {
      case _ where isRevoked: .certificateRevoked
      case .deleted: .identityDeleted
      case .suspended: .identitySuspended
      case .active: against(certificate, authority, organization)
      }
    return verdict(identity.name, refusal)
  }

  /// What speaks against it besides the identity.
  private func against(_ certificate: Certificate, _ authority: Authority, _ organization: Organization)
    -> PeerRefusal?
  {
    if organization.status == .suspended { return .organizationSuspended }
    if authority.status == .revoked { return .authorityRevoked }
    if clock() < certificate.notBefore { return .certificateNotYetValid }
    if clock() > certificate.notAfter { return .certificateExpired }
    return nil
  }

  private func verdict(_ identity: IdentityName?, _ refusal: PeerRefusal?) -> Preview {
    Preview(identity: identity, isAccepted: refusal == nil, reason: refusal?.rawValue ?? "accepted")
  }

  private func refused(_ reason: String) -> Preview {
    Preview(identity: nil, isAccepted: false, reason: reason)
  }
}
