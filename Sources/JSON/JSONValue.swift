/// Any JSON value. Members keep their order, and equality asks for the same order.
public enum JSONValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  /// A number without fraction or exponent that fits.
  case integer(Int64)
  /// Any other number, as the nearest `Double`; never NaN or infinite.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// The member of an object with this name.
  public subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }
}

/// A name and its value in an object.
public struct JSONMember: Sendable, Hashable {
  public let name: String
  public let value: JSONValue

  public init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }
}

/// Why bytes are not JSON.
public struct JSONError: Error, Sendable, Hashable {
  /// The first byte that cannot stand where it stands.
  public let offset: Int
  /// What was wrong there, as part of a sentence.
  public let detail: String

  public init(offset: Int, detail: String) {
    self.offset = offset
    self.detail = detail
  }
}
