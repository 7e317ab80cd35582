internal import FoundationEssentials

/// A value of JSON5, before anyone knows what it is for.
enum ConfigurationValue: Sendable, Equatable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case array([ConfigurationValue])
  /// The members in their order: alphabetic where they were read.
  case object([Member])

  struct Member: Sendable, Equatable {
    let key: String
    var value: ConfigurationValue
  }

  /// Reads JSON5 text, in which no object has a key twice.
  init(json5 text: String) throws(ConfigurationProblem) {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let value = try? decoder.decode(Self.self, from: Data(text.utf8))
    var outline = JSON5Outline(text)
    try outline.walk()
    guard let value else { throw ConfigurationProblem("", "this is not JSON5") }
    self = value
  }

  subscript(key: String) -> ConfigurationValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.key == key }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      members.removeAll { $0.key == key }
      if let newValue { members.append(Member(key: key, value: newValue)) }
      self = .object(members)
    }
  }
}

extension ConfigurationValue: Decodable {
  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: AnyKey.self) {
      self = .object(
        try container.allKeys.map {
          Member(key: $0.stringValue, value: try container.decode(ConfigurationValue.self, forKey: $0))
        }.sorted { $0.key < $1.key })
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var elements: [ConfigurationValue] = []
      while !container.isAtEnd { elements.append(try container.decode(ConfigurationValue.self)) }
      self = .array(elements)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
