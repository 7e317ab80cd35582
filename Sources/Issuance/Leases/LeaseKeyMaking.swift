internal import Cryptography
public import Licensing

/// Makes and replaces the key that signs leases.
public struct LeaseKeyMaking: Sendable {
  /// So long before it signs a new key is published, unless the old one must no longer be believed.
  public static let overlap: Int64 = 3600

  private let keys: AuthorityKeys
  private let units: any UnitsOfWork

  public init(keys: AuthorityKeys, units: any UnitsOfWork) {
    self.keys = keys
    self.units = units
  }

  /// Makes the first key where there is none; two servers that start together make one.
  public func makeFirst() async throws {
    try await units.transact { unit in
      guard try await unit.leaseKeys(locked: true).isEmpty else { return }
      try await insert(signsAfter: 0, in: unit, "leaseKey.created", by: .system)
    }
  }

  /// Adds a key that will sign; with `atOnce` it signs now, and those before it are withdrawn with all that they signed.
  ///
  /// The new key's id.
  public func rotate(atOnce: Bool, by actor: Actor) async throws -> String {
    try await units.transact { unit in
      let isFirst = try await unit.leaseKeys(locked: true).isEmpty
      if atOnce { try await unit.withdrawLeaseKeys() }
      return try await insert(
        signsAfter: atOnce || isFirst ? 0 : Self.overlap, in: unit,
        atOnce ? "leaseKey.replaced" : "leaseKey.rotated", by: actor)
    }
  }

  @discardableResult
  private func insert(
    signsAfter seconds: Int64, in unit: any IssuanceUnitOfWork, _ event: String, by actor: Actor
  ) async throws -> String {
    let key = try PrivateKey(generating: .p256)
    guard let id = try JSONWebKey(key.publicKey)?.thumbprint() else {
      throw StorageError.fault("a new key has no JWK")
    }
    _ = try await unit.insertLeaseKey(
      publicKey: key.publicKey.subjectPublicKeyInfo, sealedKey: try keys.seal(leaseKey: key),
      signsAfter: seconds)
    try await unit.record(AuditEvent(event, organization: nil, actor: actor, detail: ["key": id]))
    return id
  }
}
