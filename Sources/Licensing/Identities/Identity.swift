/// Whom a certificate speaks for; it outlives its certificates, and holds the seat.
public struct Identity: Sendable, Equatable {
  public enum Role: Int16, Sendable, CaseIterable {
    case device = 1
    case admin
  }
  public enum Status: Int16, Sendable, CaseIterable {
    case active = 1
    case suspended, deleted
  }

  public var record: Record<Identity>
  public let organization: Key<Organization>
  public let name: IdentityName
  public var role: Role
  public var attributes: [String: String]
  public var status: Status
  /// Set when an external CA names it.
  public let external: ExternalName?
  /// When a certificate of it last asked for something, to a quarter of an hour; nil: never, or not read.
  public var lastSeenAt: Instant?

  public init(
    record: Record<Identity>, organization: Key<Organization>, name: IdentityName, role: Role,
    attributes: [String: String], status: Status, external: ExternalName?, lastSeenAt: Instant? = nil
  ) {
    self.record = record
    self.organization = organization
    self.name = name
    self.role = role
    self.attributes = attributes
    self.status = status
    self.external = external
    self.lastSeenAt = lastSeenAt
  }
}

/// How an external CA names an identity: the bytes of one field, within one group of authorities.
public struct ExternalName: Sendable, Hashable {
  /// The group of authorities that name the same identities: by default the authority's own id.
  public let group: String
  /// A field of `mapping`: `san-uri`, `san-email`, `san-dns`, `subject-serial`, `subject-cn`, `spki`.
  public let field: String
  /// Compared byte for byte.
  public let value: [UInt8]

  public init(group: String, field: String, value: [UInt8]) {
    self.group = group
    self.field = field
    self.value = value
  }
}

public struct NewIdentity: Sendable {
  public var record: NewRecord
  public var organization: Key<Organization>
  public var name: IdentityName
  public var role: Identity.Role
  public var attributes: [String: String]
  public var external: ExternalName?

  public init(
    record: NewRecord, organization: Key<Organization>, name: IdentityName, role: Identity.Role = .device,
    attributes: [String: String] = [:], external: ExternalName? = nil
  ) {
    self.record = record
    self.organization = organization
    self.name = name
    self.role = role
    self.attributes = attributes
    self.external = external
  }
}
