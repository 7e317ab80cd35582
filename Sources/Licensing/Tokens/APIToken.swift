/// A bearer token of the admin API; only its SHA-256 is stored.
public struct APIToken: Sendable {
  public enum Role: Int16, Sendable, CaseIterable {
    case viewer = 1
    case admin, `operator`
  }

  public var record: Record<APIToken>
  /// Nil for an operator's.
  public let organization: Key<Organization>?
  public let name: String
  public let role: Role
  public let expiresAt: Instant?
  public let lastUsedAt: Instant?

  public init(
    record: Record<APIToken>, organization: Key<Organization>?, name: String, role: Role, expiresAt: Instant?,
    lastUsedAt: Instant?
  ) {
    self.record = record
    self.organization = organization
    self.name = name
    self.role = role
    self.expiresAt = expiresAt
    self.lastUsedAt = lastUsedAt
  }
}

public struct NewAPIToken: Sendable {
  public var record: NewRecord
  public var organization: Key<Organization>?
  public var name: String
  public var role: APIToken.Role
  /// SHA-256 of the token, 32 bytes.
  public var hash: [UInt8]
  /// Counted from the database's clock; nil: never.
  public var ttlSeconds: Int64?

  public init(
    record: NewRecord, organization: Key<Organization>?, name: String, role: APIToken.Role, hash: [UInt8],
    ttlSeconds: Int64?
  ) {
    self.record = record
    self.organization = organization
    self.name = name
    self.role = role
    self.hash = hash
    self.ttlSeconds = ttlSeconds
  }
}

/// What presenting a token proves now: unexpired, unrevoked, its organization not deleted.
public struct TokenHolder: Sendable {
  public let token: APIToken
  /// The organization's slug; nil for an operator's token.
  public let slug: Slug?

  public init(token: APIToken, slug: Slug?) {
    self.token = token
    self.slug = slug
  }
}

public protocol TokenRepository: Sendable {
  /// Nil when unknown, expired, revoked, or of a deleted organization.
  func token(hash: [UInt8]) async throws(StorageError) -> TokenHolder?
  func token(_ id: Identifier, of organization: Key<Organization>?) async throws(StorageError) -> APIToken?
  /// Live tokens of the organization, or with nil the operators'.
  func tokens(of organization: Key<Organization>?, _ page: PageRequest) async throws(StorageError) -> Page<
    APIToken
  >
  func insert(_ new: NewAPIToken) async throws(StorageError) -> APIToken
  /// Replaces the hash: the old token is over at once.
  func rotate(_ token: Key<APIToken>, hash: [UInt8]) async throws(StorageError) -> APIToken
  func revoke(_ token: Key<APIToken>) async throws(StorageError)
}
