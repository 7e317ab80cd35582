import Issuance
import Licensing

extension StoreUnitOfWork {
  func authority(
    _ id: Identifier, of organization: Key<Organization>, locked: Bool
  ) async throws(StorageError) -> Authority? {
    if locked { _ = try await run(LockAuthority(organization: organization, id: id)) }
    return try await first(FindAuthority(organization: organization, id: id))
  }

  func authorities(
    of organization: Key<Organization>, _ page: PageRequest
  ) async throws(StorageError) -> Page<Authority> {
    try await self.page(ListAuthorities(organization: organization, page: page), page) {
      $0.record.key.rawValue
    }
  }

  func issuers(for organization: Key<Organization>) async throws(StorageError) -> [Authority] {
    try await run(FindIssuers(organization: organization))
  }

  func insert(_ new: NewAuthority) async throws(StorageError) -> Authority {
    try await one(InsertAuthority(new: new))
  }

  func update(_ authority: Authority) async throws(StorageError) -> Authority {
    try await one(UpdateAuthority(authority: authority))
  }

  func certify(
    _ authority: Key<Authority>, of organization: Key<Organization>, by anchor: AnchorFacts,
    intermediates: [[UInt8]], warnings: [String]
  ) async throws(StorageError) -> Authority {
    try await one(
      CertifyAuthority(
        authority: authority, organization: organization, anchor: anchor, intermediates: intermediates,
        warnings: warnings))
  }

  func sealedElsewhere(
    than key: String, after authority: Key<Authority>
  ) async throws(StorageError) -> SealedAuthorityKey? {
    try await first(FindSealedElsewhere(key: key, after: authority))
  }

  func reseal(
    _ authority: Key<Authority>, of organization: Key<Organization>, _ sealed: [UInt8]
  ) async throws(StorageError) {
    _ = try await run(
      ResealAuthorityKey(organization: organization, authority: authority, sealed: sealed))
  }

  func liveCertificates(of authority: Key<Authority>) async throws(StorageError) -> Int64 {
    try await one(CountLiveCertificates(authority: authority))
  }

  func publicCertificate(of id: Identifier) async throws(StorageError) -> [UInt8]? {
    try await first(FindPublicCertificate(id: id))
  }
}
