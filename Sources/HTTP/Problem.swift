/// An error as clients see it (RFC 9457).
///
/// This is only the value; the room that knows JSON renders it to `application/problem+json`.
public struct Problem: Error, Sendable, Hashable {
  /// One bad member of a request body.
  public struct FieldError: Sendable, Hashable {
    /// A JSON pointer (RFC 6901), such as `/mapping/0/field`.
    public let pointer: String
    public let detail: String

    public init(pointer: String, detail: String) {
      self.pointer = pointer
      self.detail = detail
    }
  }

  /// A member beyond those of RFC 9457, such as `held` or `candidates`.
  public struct Extension: Sendable, Hashable {
    public enum Value: Sendable, Hashable {
      case string(String)
      case integer(Int64)
      case boolean(Bool)
      case objects([[Extension]])
    }

    public let name: String
    public let value: Value

    public init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// The last segment of `type`, for programs, such as `no-seat-available`.
  public var code: String
  public var status: Int
  /// The same sentence for every occurrence of the code.
  public var title: String
  /// What was wrong this time and what to do about it.
  public var detail: String?
  public var errors: [FieldError]
  /// Further members, in the order in which they are written.
  public var extensions: [Extension]
  /// Header fields of the answer, such as `Retry-After`.
  public var headers: [HeaderField]
  /// Where the organization sends its people for help.
  public var contactURL: String?

  public init(
    _ code: String, status: Int, title: String, detail: String? = nil, errors: [FieldError] = [],
    extensions: [Extension] = [], headers: [HeaderField] = [], contactURL: String? = nil
  ) {
    self.code = code
    self.status = status
    self.title = title
    self.detail = detail
    self.errors = errors
    self.extensions = extensions
    self.headers = headers
    self.contactURL = contactURL
  }
}
