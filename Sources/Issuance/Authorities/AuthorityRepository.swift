public import Licensing

public protocol AuthorityRepository: Sendable {
  /// Nil when there is none, or it is deleted.
  func authority(_ id: Identifier, of organization: Key<Organization>, locked: Bool)
    async throws(StorageError)
    -> Authority?
  func authorities(of organization: Key<Organization>, _ page: PageRequest) async throws(StorageError)
    -> Page<Authority>
  /// The authorities that may sign for the organization, newest first: active ones whose key the service holds. None
  /// of them is retired, revoked or deleted before the transaction ends.
  func issuers(for organization: Key<Organization>) async throws(StorageError) -> [Authority]
  /// Conflict `.authorityKey`: this organization has it already, or (when not pending) another has proven it.
  func insert(_ new: NewAuthority) async throws(StorageError) -> Authority
  /// Makes a pending subordinate authority active. Conflict `.authorityKey`: its key or name is registered already.
  func certify(
    _ authority: Key<Authority>, of organization: Key<Organization>, by anchor: AnchorFacts,
    intermediates: [[UInt8]], warnings: [String]
  ) async throws(StorageError) -> Authority
  /// A deleted one loses its key. Conflict `.authorityKey` when it becomes active although another organization has proven the key.
  func update(_ authority: Authority) async throws(StorageError) -> Authority
  /// The next authority, by its key, whose private key was sealed under another key than that of this id; locked.
  func sealedElsewhere(than key: String, after authority: Key<Authority>) async throws(StorageError)
    -> SealedAuthorityKey?
  func reseal(_ authority: Key<Authority>, of organization: Key<Organization>, _ sealed: [UInt8])
    async throws(StorageError)
  /// Unrevoked certificates of the authority whose time has not run out.
  func liveCertificates(of authority: Key<Authority>) async throws(StorageError) -> Int64
  /// For the public surface: the certificate of any authority that is not deleted or pending, whoever asks.
  func publicCertificate(of id: Identifier) async throws(StorageError) -> [UInt8]?
}
