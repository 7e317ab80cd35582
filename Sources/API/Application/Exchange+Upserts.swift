import HTTP
import JSON
import Licensing

extension Exchange {
  /// The vendor's own id that the path has; 404 when it is none.
  func externalID() throws(Problem) -> String {
    let text = parameters["externalId"]
    guard (1...256).contains(text.unicodeScalars.count),
      !text.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7f...0x9f ~= $0.value })
    else { throw Problem(.notFound) }
    return text
  }

  /// Makes or changes what has the vendor's own id. Of two at once that both would make it, one makes it; the other is in
  /// conflict, with whatever is unique, and finds it when it looks again.
  func upsert(_ write: () async throws -> Response) async throws -> Response {
    do { return try await write() } catch StorageError.conflict { return try await write() }
  }
}

extension MemberReader {
  /// `externalId` and `metadata` of a resource that is being made; the path, where it says the id, and the body agree.
  mutating func newRecord(_ id: Identifier, of externalID: String?) -> NewRecord {
    let record = newRecord(id)
    guard let externalID else { return record }
    if record.externalID ?? externalID != externalID { fail("externalId", "must be the path's") }
    return NewRecord(id: id, externalID: externalID, metadata: record.metadata)
  }

  /// `externalId` and `metadata` in a change; the first cannot be another than the path's.
  mutating func patch<Entity>(_ record: inout Record<Entity>, isWhole: Bool) {
    let externalID = record.externalID
    patch(&record)
    if isWhole, record.externalID != externalID { fail("externalId", "must be the path's") }
  }

  /// What a resource has for good: where the body is whole it may say so again.
  mutating func keep<Value: Equatable>(_ name: String, _ shape: Shape<Value>, _ value: Value, isWhole: Bool) {
    if isWhole { keep(name, shape, value) } else { refuse(name) }
  }
}
