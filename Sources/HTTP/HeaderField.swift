/// A header field of an answer.
public struct HeaderField: Sendable, Hashable {
  public let name: FieldName
  /// Control bytes in it are left out on the wire, so that no value can begin another field.
  public let value: String

  public init(_ name: FieldName, _ value: String) {
    self.name = name
    self.value = value
  }
}
