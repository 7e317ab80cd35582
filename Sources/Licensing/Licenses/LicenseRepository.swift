public protocol LicenseRepository: Sendable {
  /// With `locked` the license and its counters stay locked, so that `usage` is exact until the transaction ends.
  func license(_ id: Identifier, of organization: Key<Organization>, locked: Bool) async throws(StorageError)
    -> License?
  /// The one with the vendor's own id.
  func license(externalID: String, of organization: Key<Organization>, locked: Bool)
    async throws(StorageError)
    -> License?
  func licenses(of organization: Key<Organization>, _ filter: LicenseFilter, _ page: PageRequest)
    async throws(StorageError)
    -> Page<License>
  func insert(_ new: NewLicense) async throws(StorageError) -> License
  /// Writes terms, status, external id and metadata; the caller has judged a shrink below what is held.
  func update(_ license: License) async throws(StorageError) -> License
}
