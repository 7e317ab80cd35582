public import Licensing

/// Who sends a request, as far as it has proven it.
public enum Caller: Sendable {
  case nobody
  /// A client app.
  case device(DeviceCaller)
  /// An identity whose role is `admin`, on the device listener.
  case administrator(DeviceCaller)
  /// The holder of an API token.
  // Elsewhere, for a caller is passed on with every request, and this one is large.
  indirect case token(TokenHolder)

  var isAdministrator: Bool {
    switch self {
    case .administrator: true
    case .nobody, .device, .token: false
    }
  }

  /// Whom the audit trail names.
  public var actor: Actor {
    switch self {
    case .nobody: .system
    case .device(let device), .administrator(let device): .identity(device.identity)
    case .token(let holder): .token(holder.token.record.key)
    }
  }

  /// The organization that the caller belongs to; nil for an operator and for nobody.
  public var organization: Slug? {
    switch self {
    case .nobody: nil
    case .device(let device), .administrator(let device): device.slug
    case .token(let holder): holder.slug
    }
  }

  /// Whether the caller may know that this organization exists.
  public func mayReach(_ organization: Slug) -> Bool {
    switch self {
    case .nobody: false
    case .device(let device), .administrator(let device): device.slug == organization
    case .token(let holder): holder.token.role == .operator || holder.slug == organization
    }
  }

  /// Whether the caller's role suffices, once it has reached what the route is about.
  public func holds(_ access: Access) -> Bool {
    switch access {
    case .anyone, .enrollmentToken: return true
    case .device:
      switch self {
      case .device, .administrator: return true
      case .nobody, .token: return false
      }
    case .viewer: return rank >= APIToken.Role.viewer.rawValue
    case .admin: return rank >= APIToken.Role.admin.rawValue
    case .operator: return rank >= APIToken.Role.operator.rawValue
    }
  }

  private var rank: Int16 {
    switch self {
    case .nobody, .device: 0
    case .administrator: APIToken.Role.admin.rawValue
    case .token(let holder): holder.token.role.rawValue
    }
  }
}
