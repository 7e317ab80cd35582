/// A right to make the first admin token of an organization, used once; only its SHA-256 is stored.
public struct NewSetupToken: Sendable {
  public var id: Identifier
  public var organization: Key<Organization>
  /// What the token will be called.
  public var name: String
  /// SHA-256 of the secret, 32 bytes.
  public var hash: [UInt8]
  /// Counted from the database's clock.
  public var ttlSeconds: Int64

  public init(
    id: Identifier, organization: Key<Organization>, name: String, hash: [UInt8], ttlSeconds: Int64
  ) {
    self.id = id
    self.organization = organization
    self.name = name
    self.hash = hash
    self.ttlSeconds = ttlSeconds
  }
}

/// What a spent setup token was good for.
public struct SpentSetupToken: Sendable {
  public let id: Identifier
  public let organization: Slug
  public let name: String

  public init(id: Identifier, organization: Slug, name: String) {
    self.id = id
    self.organization = organization
    self.name = name
  }
}

public protocol SetupRepository: Sendable {
  func insert(_ new: NewSetupToken) async throws(StorageError)
  /// Spends it; nil when unknown, expired, spent, or of a deleted organization.
  func spendSetupToken(hash: [UInt8]) async throws(StorageError) -> SpentSetupToken?
}
