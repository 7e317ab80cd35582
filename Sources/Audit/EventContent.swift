internal import JSON
internal import Licensing

/// What a digest covers of an event: ids and plain facts, and nothing that can be erased or may change.
///
/// The event's JSON in its canonical form (RFC 8785: no white space, members by name), without `organization`, which may
/// be renamed, and `digest`. `position` is part of it.
struct EventContent {
  let position: Int64
  let bytes: [UInt8]

  /// - Throws: when the event's detail is no JSON.
  init(_ event: RecordedEvent, at position: Int64) throws(JSONError) {
    var writer = JSONWriter()
    writer.object { writer in event.writeMembers(to: &writer) }
    self.init(try JSONValue(parsing: writer.bytes), at: position)
  }

  /// A line of an export; nil when it tells of no sealed event.
  init?(line: JSONValue) {
    guard case .integer(let position)? = line["position"] else { return nil }
    self.init(line, at: position)
  }

  private init(_ event: JSONValue, at position: Int64) {
    var members: [JSONMember] = []
    if case .object(let all) = event {
      members = all.filter { !["organization", "digest", "position"].contains($0.name) }
    }
    members.append(JSONMember("position", .integer(position)))
    var writer = JSONWriter()
    writer.value(Self.canonical(.object(members)))
    self.position = position
    bytes = writer.bytes
  }

  private static func canonical(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null, .boolean, .integer, .number, .string: value
    case .array(let elements): .array(elements.map(canonical))
    case .object(let members):
      .object(
        members.map { JSONMember($0.name, canonical($0.value)) }.sorted {
          $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        })
    }
  }
}
