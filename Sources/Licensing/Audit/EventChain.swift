/// An event's place in the chain of its organization, and the digest that covers it and all before it.
public struct EventSeal: Sendable, Hashable {
  /// From 1, without gaps.
  public let position: Int64
  /// SHA-256, 32 bytes.
  public let digest: [UInt8]

  public init(position: Int64, digest: [UInt8]) {
    self.position = position
    self.digest = digest
  }
}

/// The sealed events of one organization, or the operator's own, from the first that is kept to the last.
public struct EventChain: Sendable, Hashable {
  /// Nil: the operator's own.
  public let organization: Identifier?
  public let slug: Slug?
  /// The last event that was dropped because of its age; nil when all are kept.
  public var pruned: EventSeal?
  /// The last event; nil when there is none yet.
  public var last: EventSeal?

  public init(organization: Identifier?, slug: Slug?, pruned: EventSeal?, last: EventSeal?) {
    self.organization = organization
    self.slug = slug
    self.pruned = pruned
    self.last = last
  }
}
