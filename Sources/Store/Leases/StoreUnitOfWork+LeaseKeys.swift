import Issuance
import Licensing

extension StoreUnitOfWork {
  func leaseKeys(locked: Bool) async throws(StorageError) -> [LeaseKey] {
    if locked { _ = try await run(LockLeaseKeys()) }
    return try await run(ReadLeaseKeys())
  }

  func insertLeaseKey(
    publicKey: [UInt8], sealedKey: [UInt8], signsAfter seconds: Int64
  ) async throws(StorageError) -> Key<LeaseKey> {
    try await one(InsertLeaseKey(publicKey: publicKey, sealedKey: sealedKey, signsAfter: seconds))
  }

  func withdrawLeaseKeys() async throws(StorageError) { _ = try await run(WithdrawLeaseKeys()) }

  func reseal(_ key: Key<LeaseKey>, _ sealed: [UInt8]) async throws(StorageError) {
    _ = try await run(ResealLeaseKey(key: key, sealed: sealed))
  }
}
