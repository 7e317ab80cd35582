public import Licensing

/// A key that signs leases, of which the installation has one at a time; all servers share it.
///
/// A new one is published a while before it signs, so that whoever keeps the key set has it by then.
public struct LeaseKey: Sendable {
  public let key: Key<LeaseKey>
  /// SubjectPublicKeyInfo.
  public let publicKey: [UInt8]
  /// Nil once it signs no more.
  public let sealedKey: [UInt8]?
  public let signsFrom: Instant

  public init(key: Key<LeaseKey>, publicKey: [UInt8], sealedKey: [UInt8]?, signsFrom: Instant) {
    self.key = key
    self.publicKey = publicKey
    self.sealedKey = sealedKey
    self.signsFrom = signsFrom
  }
}

/// What a unit of work does with the keys that sign leases.
public protocol LeaseKeyRepository: Sendable {
  /// Those that are published, the newest first. `locked`: nobody else makes one meanwhile.
  func leaseKeys(locked: Bool) async throws(StorageError) -> [LeaseKey]

  /// Adds a key that signs after so many seconds of the database's time.
  func insertLeaseKey(publicKey: [UInt8], sealedKey: [UInt8], signsAfter seconds: Int64)
    async throws(StorageError) -> Key<LeaseKey>

  /// Takes every published key back: what they signed is believed no more by whoever reads the key set anew.
  func withdrawLeaseKeys() async throws(StorageError)

  /// Replaces the sealed form of a key.
  func reseal(_ key: Key<LeaseKey>, _ sealed: [UInt8]) async throws(StorageError)
}
