import JSON
import Licensing
import Postgres

/// The few columns that are JSON: string maps and feature maps.
enum JSONColumn {
  static func bytes(of map: [String: String]) -> [UInt8] { bytes(of: map) { .string($0) } }

  static func bytes(of features: Features) -> [UInt8] {
    bytes(of: features) { feature in
      switch feature {
      case .flag(let flag): .boolean(flag)
      case .integer(let integer): .integer(integer)
      case .number(let number): .number(number)
      case .text(let text): .string(text)
      }
    }
  }

  static func stringMap(_ bytes: [UInt8]) throws(PostgresError) -> [String: String] {
    try map(bytes) { if case .string(let text) = $0 { text } else { nil } }
  }

  static func features(_ bytes: [UInt8]) throws(PostgresError) -> Features {
    try map(bytes) { value in
      switch value {
      case .boolean(let flag): .flag(flag)
      case .integer(let integer): .integer(integer)
      case .number(let number): .number(number)
      case .string(let text): .text(text)
      case .null, .array, .object: nil
      }
    }
  }

  private static func bytes<Value>(of map: [String: Value], _ json: (Value) -> JSONValue) -> [UInt8] {
    var writer = JSONWriter(capacity: 16)
    writer.object { object in
      for (name, value) in map { object.member(name, json(value)) }
    }
    return writer.bytes
  }

  private static func map<Value>(
    _ bytes: [UInt8], _ value: (JSONValue) -> Value?
  ) throws(PostgresError) -> [String: Value] {
    guard case .object(let members)? = try? JSONValue(parsing: bytes) else {
      throw .decoding("a column holds no JSON object")
    }
    var map: [String: Value] = [:]
    for member in members {
      guard let value = value(member.value) else {
        throw .decoding("a JSON column holds no \(Value.self) at \(member.name)")
      }
      map[member.name] = value
    }
    return map
  }
}
