public import Cryptography
internal import JSON
public import Licensing

/// Where a chain of events has come to. Each digest is SHA-256 of the one before it and the event's content:
///
///     digest 0 = SHA-256("usher audit chain 1\n" + the organization's id, or "operator")
///     digest n = SHA-256(digest n-1 + content n)
public struct ChainLink: Sendable, Hashable {
  public let position: Int64
  public let digest: SHA256Digest

  /// Before the first event of an organization; nil: of the operator's own.
  public init(startOf organization: Identifier?) throws(OpenSSLError) {
    position = 0
    digest = try SHA256Digest(
      hashing: Array("usher audit chain 1\n\(organization?.description ?? "operator")".utf8))
  }

  /// Before the first event that is kept; nil when the digest there is none.
  public init?(startOf chain: EventChain) throws(OpenSSLError) {
    if let pruned = chain.pruned {
      self.init(pruned)
    } else {
      try self.init(startOf: chain.organization)
    }
  }

  /// Nil when the seal's digest is none.
  public init?(_ seal: EventSeal) {
    guard let digest = SHA256Digest(bytes: seal.digest) else { return nil }
    self.init(position: seal.position, digest: digest)
  }

  init(position: Int64, digest: SHA256Digest) {
    self.position = position
    self.digest = digest
  }

  public var seal: EventSeal { EventSeal(position: position, digest: digest.bytes) }

  /// The link of the event that follows.
  public func next(_ event: RecordedEvent) throws -> ChainLink {
    try next(EventContent(event, at: position + 1))
  }

  func next(_ content: EventContent) throws(OpenSSLError) -> ChainLink {
    ChainLink(
      position: position + 1, digest: try SHA256Digest(hashing: digest.bytes + content.bytes))
  }
}
