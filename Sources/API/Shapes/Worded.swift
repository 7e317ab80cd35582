import Issuance
import Licensing

/// An enumeration whose cases have words in the API, which never follow a renaming in the source.
protocol Worded: Sendable, Equatable {
  var word: String { get }
}

/// Yes or no in a query.
enum Flag: Worded {
  case yes, no

  var word: String {
    switch self {
    case .yes: "true"
    case .no: "false"
    }
  }
}

extension Organization.Status: Worded {
  var word: String {
    switch self {
    case .active: "active"
    case .suspended: "suspended"
    case .deleted: "deleted"
    }
  }
}

extension License.Status: Worded {
  var word: String {
    switch self {
    case .active: "active"
    case .suspended: "suspended"
    case .deleted: "deleted"
    }
  }
}

extension License.Model: Worded {
  var word: String {
    switch self {
    case .floating: "floating"
    case .named: "named"
    }
  }
}

extension License.Assignment: Worded {
  var word: String {
    switch self {
    case .manual: "manual"
    case .firstClaim: "firstClaim"
    }
  }
}

extension Seat.Kind: Worded {
  var word: String {
    switch self {
    case .lease: "lease"
    case .assigned: "assigned"
    case .borrowed: "borrowed"
    }
  }
}

extension Identity.Role: Worded {
  var word: String {
    switch self {
    case .device: "device"
    case .admin: "admin"
    }
  }
}

extension Identity.Status: Worded {
  var word: String {
    switch self {
    case .active: "active"
    case .suspended: "suspended"
    case .deleted: "deleted"
    }
  }
}

extension APIToken.Role: Worded {
  var word: String {
    switch self {
    case .viewer: "viewer"
    case .admin: "admin"
    case .operator: "operator"
    }
  }
}

extension CertificateRecord.Status: Worded {
  var word: String {
    switch self {
    case .active: "active"
    case .revoked: "revoked"
    }
  }
}

extension CertificateRecord.Source: Worded {
  var word: String {
    switch self {
    case .issued: "issued"
    case .seen: "seen"
    }
  }
}

extension RevocationReason: Worded {
  var word: String { name }
}
