public import Issuance
public import Licensing
internal import PKIX
internal import Reactor

/// A proven authority as a server keeps it in memory: one object per authority, for as long as the server runs.
public final class AuthorityEntry: Sendable {
  public let key: Key<Authority>
  public let id: Identifier
  public let organization: OrganizationEntry
  public let kind: Authority.Kind
  /// The first that was seen; a subordinate authority's is replaced by others of the same key, name and key identifier.
  let anchor: Certificate
  public let standing: Standing
  let anchorHints: IssuerHints
  /// The CAs between the anchor and the leaves in memory.
  let issuers = IssuerRegistry()
  private let rules: Lock<Rules>
  private let versions = Generation()

  /// What an admin may change. A peer remembers the generation under which it was recognized.
  public struct Rules: Sendable {
    /// Trusts this authority's anchor alone, and knows its intermediates.
    let validator: PathValidator
    let intermediateHints: [IssuerHints]
    public let group: String
    public let mapping: [MappingRule]
    public let match: MatchRule?
    public let autoProvision: Bool
    /// A certificate that proved the key to us must never authenticate.
    let proofFingerprint: [UInt8]?
    public let generation: Int64
  }

  /// Throws when the stored anchor can never be trusted.
  init(_ authority: Authority, anchor: Certificate, of organization: OrganizationEntry) throws(PathFailure) {
    key = authority.record.key
    id = authority.record.id
    self.organization = organization
    kind = authority.kind
    self.anchor = anchor
    anchorHints = IssuerHints(of: anchor)
    standing = Standing(authority.standing)
    rules = Lock(try authority.rules(under: anchor))
  }

  public var currentRules: Rules { rules.withLock { $0 } }

  /// Moves with everything that a verdict of its validator rests on.
  var generation: UInt64 { versions.value }

  /// Whether it refuses whom it signed, and keeps its key only until somebody proves it anew.
  var isDeleted: Bool { standing.state == .deleted || organization.standing.state == .deleted }

  /// Takes over what the database says; whether that changed anything.
  func update(_ authority: Authority) -> Bool {
    let change = standing.state != authority.standing
    standing.state = authority.standing
    guard currentRules.generation != authority.record.revision,
      let der = authority.certificate, let anchor = try? Certificate(der: der),
      let fresh = try? authority.rules(under: anchor)
    else {
      return change
    }
    rules.withLock { $0 = fresh }
    versions.advance()
    return true
  }

  /// Takes over that the database has nothing of it any more but its past; whether that is news.
  func bury() -> Bool {
    defer { standing.state = .deleted }
    return standing.state != .deleted
  }
}

extension Authority {
  fileprivate var standing: Standing.State {
    switch status {
    case .pending, .active, .retired: .good
    case .revoked: .revoked
    case .deleted: .deleted
    }
  }

  fileprivate func rules(under anchor: Certificate) throws(PathFailure) -> AuthorityEntry.Rules {
    let issuers = intermediates.compactMap { try? Certificate(der: $0) }
    return AuthorityEntry.Rules(
      validator: try PathValidator(anchor: anchor, intermediates: issuers, policy: pathPolicy),
      intermediateHints: issuers.map(IssuerHints.init(of:)), group: group, mapping: mapping, match: match,
      autoProvision: autoProvision, proofFingerprint: proofFingerprint,
      generation: record.revision)
  }
}

/// By what a certificate finds its issuer; hints only, for anyone can write them.
struct IssuerHints: Sendable {
  /// The stated and the computed subject key identifier.
  let identifiers: Set<[UInt8]>
  /// The subject's DER.
  let subject: [UInt8]

  init(of issuer: Certificate) {
    var identifiers: Set = [issuer.computedKeyIdentifier]
    if let stated = (try? issuer.subjectKeyIdentifier) ?? nil { identifiers.insert(stated) }
    self.identifiers = identifiers
    subject = issuer.subject.der
  }
}
