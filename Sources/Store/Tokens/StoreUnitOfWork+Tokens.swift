import Licensing

extension StoreUnitOfWork {
  func token(hash: [UInt8]) async throws(StorageError) -> TokenHolder? {
    try await first(FindTokenByHash(hash: hash))
  }

  func token(_ id: Identifier, of organization: Key<Organization>?) async throws(StorageError) -> APIToken? {
    try await first(FindToken(organization: organization, id: id))
  }

  func tokens(
    of organization: Key<Organization>?, _ page: PageRequest
  ) async throws(StorageError) -> Page<APIToken> {
    try await self.page(ListTokens(organization: organization, page: page), page) { $0.record.key.rawValue }
  }

  func insert(_ new: NewAPIToken) async throws(StorageError) -> APIToken {
    try await one(InsertToken(new: new))
  }

  func rotate(_ token: Key<APIToken>, hash: [UInt8]) async throws(StorageError) -> APIToken {
    try await one(RotateToken(token: token, hash: hash))
  }

  func revoke(_ token: Key<APIToken>) async throws(StorageError) {
    _ = try await run(RevokeToken(token: token))
  }

  func insert(_ new: NewSetupToken) async throws(StorageError) {
    _ = try await run(InsertSetupToken(new: new))
  }

  func spendSetupToken(hash: [UInt8]) async throws(StorageError) -> SpentSetupToken? {
    try await first(SpendSetupToken(hash: hash))
  }
}
