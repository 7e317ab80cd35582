/// Who may call a route.
///
/// `viewer`, `admin` and `operator` each include those after them; within an organization they mean its own.
public enum Access: Sendable, Hashable, CaseIterable {
  case anyone
  /// The handler itself looks up the enrollment token, in the transaction that spends it.
  case enrollmentToken
  /// A client certificate that stands.
  case device
  case viewer, admin, `operator`

  /// Whether the route is one of the admin API: an admin identity finds it on the device listener too.
  public var isAdministrative: Bool {
    switch self {
    case .viewer, .admin, .operator: true
    case .anyone, .enrollmentToken, .device: false
    }
  }
}

extension Access {
  /// The name of the least role that suffices.
  var roleName: String {
    switch self {
    case .anyone, .enrollmentToken: "anyone"
    case .device: "device"
    case .viewer: "viewer"
    case .admin: "admin"
    case .operator: "operator"
    }
  }
}
