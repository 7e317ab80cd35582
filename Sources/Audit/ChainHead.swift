public import Cryptography
public import JSON
public import Licensing

/// How far a chain went, to be kept where whoever may write to the database cannot reach.
public struct ChainHead: Sendable, Hashable {
  /// The `typ` of its signed form, so that it is never taken for a lease.
  public static let type = "usher-audit-head+jwt"

  /// Nil: the operator's own chain.
  public let organization: Identifier?
  public let slug: String?
  /// What was before was dropped because of its age.
  public let start: ChainLink
  public let last: ChainLink
  public let at: Instant

  /// Nil when a digest of the chain is none.
  public init?(_ chain: EventChain, at time: Instant) throws(OpenSSLError) {
    guard let start = try ChainLink(startOf: chain) else { return nil }
    guard let last = chain.last.map(ChainLink.init) ?? start else { return nil }
    (self.start, self.last) = (start, last)
    (organization, slug, at) = (chain.organization, chain.slug?.description, time)
  }

  /// The payload of the signed form; nil for anything else.
  public init?(_ json: JSONValue) {
    guard let start = Self.link(json["prunedThrough"], json["prunedDigest"]),
      let last = Self.link(json["position"], json["digest"]), case .integer(let time)? = json["iat"]
    else { return nil }
    (self.start, self.last, at) = (start, last, Instant(seconds: time))
    organization = Self.text(json["organizationId"]).flatMap(Identifier.init)
    slug = Self.text(json["organization"])
  }

  private static func text(_ value: JSONValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  private static func link(_ position: JSONValue?, _ digest: JSONValue?) -> ChainLink? {
    guard case .integer(let position)? = position,
      let digest = text(digest).flatMap(SHA256Digest.init(hexadecimal:))
    else { return nil }
    return ChainLink(position: position, digest: digest)
  }

  /// The payload of the signed form.
  public var claims: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writeMembers(to: &writer)
      writer.member("iat", at.seconds)
    }
    return writer.bytes
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("organization", slug)
    writer.member("organizationId", organization?.description)
    writer.member("position", last.position)
    writer.member("digest", last.digest.hexadecimal)
    writer.member("prunedThrough", start.position)
    writer.member("prunedDigest", start.digest.hexadecimal)
  }
}
