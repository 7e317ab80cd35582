/// What every stored resource carries, whatever it is.
public struct Record<Entity>: Sendable, Equatable {
  public let key: Key<Entity>
  public let id: Identifier
  /// The vendor's own id for it, unique per type and organization.
  public var externalID: String?
  /// The vendor's notes, at most 4 KB.
  public var metadata: [String: String]
  public let createdAt: Instant
  public let updatedAt: Instant
  /// Grows with every change; the ETag.
  public let revision: Int64

  public init(
    key: Key<Entity>, id: Identifier, externalID: String?, metadata: [String: String], createdAt: Instant,
    updatedAt: Instant, revision: Int64
  ) {
    self.key = key
    self.id = id
    self.externalID = externalID
    self.metadata = metadata
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.revision = revision
  }
}

/// What a new resource brings before the database has given it a key.
public struct NewRecord: Sendable {
  public let id: Identifier
  public let externalID: String?
  public let metadata: [String: String]

  public init(id: Identifier, externalID: String? = nil, metadata: [String: String] = [:]) {
    self.id = id
    self.externalID = externalID
    self.metadata = metadata
  }
}
