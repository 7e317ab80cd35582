import FoundationEssentials
import Licensing
import Postgres

/// The few columns that are JSON: string maps and feature maps.
enum JSONColumn {
  private static let empty = Array("{}".utf8)

  /// Strings and finite numbers can always be written; were it otherwise, the column's check would refuse the `null`.
  static func bytes(of value: [String: some Encodable]) -> [UInt8] {
    if value.isEmpty { return empty }
    guard let data = try? JSONEncoder().encode(value) else { return Array("null".utf8) }
    return [UInt8](data)
  }

  static func value<Value: Decodable>(_ bytes: [UInt8]) throws(PostgresError) -> [String: Value] {
    if bytes == empty { return [:] }
    do {
      return try JSONDecoder().decode([String: Value].self, from: Data(bytes))
    } catch {
      throw .decoding("JSON of another shape: \(error)")
    }
  }
}

/// A feature's value as JSON.
struct FeatureJSON: Codable {
  let value: FeatureValue

  init(_ value: FeatureValue) { self.value = value }

  init(from decoder: any Decoder) throws {
    let json = try decoder.singleValueContainer()
    if let flag = try? json.decode(Bool.self) {
      value = .flag(flag)
    } else if let integer = try? json.decode(Int64.self) {
      value = .integer(integer)
    } else if let number = try? json.decode(Double.self) {
      value = .number(number)
    } else {
      value = .text(try json.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var json = encoder.singleValueContainer()
    switch value {
    case .flag(let flag): try json.encode(flag)
    case .integer(let integer): try json.encode(integer)
    case .number(let number): try json.encode(number)
    case .text(let text): try json.encode(text)
    }
  }
}
