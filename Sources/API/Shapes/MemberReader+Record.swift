import HTTP
import JSON
import Licensing

extension MemberReader {
  /// `externalId` and `metadata` of a resource that is being made.
  mutating func newRecord(_ id: Identifier) -> NewRecord {
    NewRecord(
      id: id, externalID: optional("externalId", .externalID),
      metadata: optional("metadata", .stringMap) ?? [:])
  }

  /// The same in a PATCH; `metadata` is replaced as a whole.
  mutating func patch<Entity>(_ record: inout Record<Entity>) {
    patch("externalId", .externalID, &record.externalID)
    replace("metadata", .stringMap, &record.metadata)
  }

  /// A member of a PATCH that null takes away.
  mutating func patch<Value>(_ name: String, _ shape: Shape<Value>, _ value: inout Value?) {
    value = patch(name, shape).applied(to: value)
  }

  /// A member of a PATCH that may be absent but not null, unless that is the same here.
  mutating func replace<Value>(
    _ name: String, _ shape: Shape<Value>, _ value: inout Value, orNull: Bool = false
  ) {
    if let new = orNull ? optional(name, shape) : replacement(name, shape) { value = new }
  }

  /// A member that a resource has for good: it may be said again, and not otherwise.
  mutating func keep<Value: Equatable>(_ name: String, _ shape: Shape<Value>, _ value: Value) {
    if let said = optional(name, shape), said != value { fail(name, "cannot be changed") }
  }

  /// A member that only a new resource takes.
  mutating func refuse(_ name: String) {
    if case .absent = patch(name, .anything) { return }
    fail(name, "cannot be changed")
  }
}
