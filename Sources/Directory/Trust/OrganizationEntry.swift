public import Licensing
internal import Reactor

/// An organization as a server keeps it in memory: one object per organization, for as long as the server runs.
public final class OrganizationEntry: Sendable {
  public let key: Key<Organization>
  public let id: Identifier
  public let slug: Slug
  public let standing: Standing
  private let terms: Lock<Terms>

  /// What an operator may change.
  public struct Terms: Sendable {
    public let contactURL: String?
    public let renewAfterExpirySeconds: Int64
    public let certificates: CertificateTerms
    /// The host name that serves this organization alone.
    public let hostname: String?
  }

  init(_ organization: Organization) {
    key = organization.record.key
    id = organization.record.id
    slug = organization.slug
    standing = Standing(organization.standing)
    terms = Lock(organization.terms)
  }

  /// Where people who are refused find help, and how long an expired certificate may renew itself.
  public var currentTerms: Terms { terms.withLock { $0 } }

  /// Whether it was deleted, or has another host name.
  func update(_ organization: Organization) -> Bool {
    let (before, host) = (standing.state, currentTerms.hostname)
    standing.state = organization.standing
    terms.withLock { $0 = organization.terms }
    return host != organization.hostname || (before == .deleted) != (standing.state == .deleted)
  }
}

extension Organization {
  fileprivate var terms: OrganizationEntry.Terms {
    OrganizationEntry.Terms(
      contactURL: contactURL, renewAfterExpirySeconds: renewAfterExpirySeconds, certificates: certificates,
      hostname: hostname)
  }

  fileprivate var standing: Standing.State {
    switch status {
    case .active: .good
    case .suspended: .suspended
    case .deleted: .deleted
    }
  }
}
