/// Who did it.
public enum Actor: Sendable, Hashable {
  case token(Key<APIToken>)
  /// A device or an admin identity, by certificate.
  case identity(Key<Identity>)
  /// An enrollment token.
  case enrollment(Identifier)
  /// The command line on the server's own machine.
  case machine
  /// The service itself.
  case system
}

/// One row of the audit trail, written in the transaction of its effect.
public struct AuditEvent: Sendable {
  /// `<resource>.<past participle>`: `organization.created`, `certificate.revoked`, …
  public let type: String
  public let organization: Key<Organization>?
  public let actor: Actor
  public let license: Key<License>?
  public let identity: Key<Identity>?
  /// Random ids and plain facts, never names or subjects: those can be erased beside it.
  public let detail: [String: String]

  public init(
    _ type: String, organization: Key<Organization>?, actor: Actor, license: Key<License>? = nil,
    identity: Key<Identity>? = nil, detail: [String: String] = [:]
  ) {
    self.type = type
    self.organization = organization
    self.actor = actor
    self.license = license
    self.identity = identity
    self.detail = detail
  }
}
