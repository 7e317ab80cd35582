/// A request method (RFC 9110 §9). Methods that no route has are all `other`: known paths answer them with 405.
public enum Method: Sendable, Hashable, CaseIterable {
  case get, head, post, put, patch, delete, options, other

  /// The name on the wire, as in `Allow`.
  public var name: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .patch: "PATCH"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .other: "other"
    }
  }

  /// The method with this name; names are case-sensitive (RFC 9110 §9.1).
  init(_ name: Span<UInt8>) {
    self = Method.allCases.first { $0 != .other && name.equals($0.name) } ?? .other
  }
}
