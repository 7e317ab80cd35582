public import Licensing
internal import Synchronization

/// An identity that some certificate in memory speaks for; shared by all of them.
public final class IdentityEntry: Sendable {
  public let key: Key<Identity>
  public let organization: Key<Organization>
  public let id: Identifier
  public let name: IdentityName
  public let standing: Standing
  private let rawRole: Atomic<Int16>

  init(_ identity: Identity) {
    key = identity.record.key
    organization = identity.organization
    id = identity.record.id
    name = identity.name
    standing = Standing(identity.standing)
    rawRole = Atomic(identity.role.rawValue)
  }

  public var role: Identity.Role { Identity.Role(rawValue: rawRole.load(ordering: .acquiring)) ?? .device }

  func update(_ identity: Identity) {
    if standing.state != identity.standing { standing.state = identity.standing }
    rawRole.store(identity.role.rawValue, ordering: .releasing)
  }
}

extension Identity {
  fileprivate var standing: Standing.State {
    switch status {
    case .active: .good
    case .suspended: .suspended
    case .deleted: .deleted
    }
  }
}
