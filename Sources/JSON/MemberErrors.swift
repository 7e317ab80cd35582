/// Everything that is wrong with the members of a body, so that the client can mend it in one go.
public struct MemberErrors: Error, Sendable, Hashable {
  public let errors: [MemberError]

  public init(errors: [MemberError]) { self.errors = errors }
}

/// One bad member.
public struct MemberError: Sendable, Hashable {
  /// A JSON pointer (RFC 6901); empty for the body itself.
  public let pointer: String
  /// What it must be instead, such as `must be a whole number from 1 to 100000`.
  public let detail: String

  public init(pointer: String, detail: String) {
    self.pointer = pointer
    self.detail = detail
  }
}

/// What a PATCH says of a member (RFC 7396): nothing, that it goes, or its new value.
public enum Patch<Value> {
  case absent, null
  case value(Value)

  /// The value after the change.
  public func applied(to current: Value?) -> Value? {
    switch self {
    case .absent: current
    case .null: nil
    case .value(let value): value
    }
  }
}

extension Patch: Sendable where Value: Sendable {}
extension Patch: Equatable where Value: Equatable {}
