internal import FoundationEssentials

/// The outline of JSON5 text: its objects, lists and keys, with every other value as one token.
///
/// Foundation reads the values, but takes the last of two members with one name in silence, and does not say where
/// text that is no JSON5 goes wrong. Walking the outline finds both.
struct JSON5Outline {
  private enum Token: Equatable {
    case mark(UInt8)
    case string(String)
    case word(String)
    case end
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Walks the whole text, and throws what is wrong first.
  mutating func walk() throws(ConfigurationProblem) {
    try walkValue(next(), at: "", depth: 0)
    guard next() == .end else { throw fault("the end") }
  }

  private mutating func walkValue(_ token: Token, at path: String, depth: Int) throws(ConfigurationProblem) {
    guard depth < 32 else { throw fault("fewer nested values") }
    switch token {
    case .string, .word: break
    case .mark(UInt8(ascii: "{")): try walkObject(at: path, depth: depth)
    case .mark(UInt8(ascii: "[")): try walkList(at: path, depth: depth)
    default: throw fault("a value")
    }
  }

  private mutating func walkObject(at path: String, depth: Int) throws(ConfigurationProblem) {
    var keys: Set<String> = []
    var token = next()
    while token != .mark(UInt8(ascii: "}")) {
      let key: String
      switch token {
      case .string(let text), .word(let text): key = text
      default: throw fault("a key or }")
      }
      let place = path.isEmpty ? key : "\(path).\(key)"
      guard keys.insert(key).inserted else { throw ConfigurationProblem(place, "the key is given twice") }
      guard next() == .mark(UInt8(ascii: ":")) else { throw fault("a colon after \(key)") }
      try walkValue(next(), at: place, depth: depth + 1)
      token = next()
      if token == .mark(UInt8(ascii: ",")) {
        token = next()
      } else if token != .mark(UInt8(ascii: "}")) {
        throw fault("a comma or }")
      }
    }
  }

  private mutating func walkList(at path: String, depth: Int) throws(ConfigurationProblem) {
    var count = 0
    var token = next()
    while token != .mark(UInt8(ascii: "]")) {
      try walkValue(token, at: "\(path)[\(count)]", depth: depth + 1)
      count += 1
      token = next()
      if token == .mark(UInt8(ascii: ",")) {
        token = next()
      } else if token != .mark(UInt8(ascii: "]")) {
        throw fault("a comma or ]")
      }
    }
  }

  private func fault(_ expected: String) -> ConfigurationProblem {
    ConfigurationProblem("line \(line)", "this is not JSON5: \(expected) was expected")
  }

  private mutating func next() -> Token {
    skipSpace()
    guard position < bytes.count else { return .end }
    let start = position
    let first = bytes[position]
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      position += 1
      while position < bytes.count, bytes[position] != first {
        position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
      }
      position = min(position + 1, bytes.count)
      return .string(Self.decoded(bytes[start..<position]))
    }
    position += 1
    guard !Self.isMark(first) else { return .mark(first) }
    while position < bytes.count, !Self.isMark(bytes[position]), !Self.isSpace(bytes[position]) {
      position += 1
    }
    return .word(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      if bytes[position...].starts(with: "//".utf8) {
        position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      } else if bytes[position...].starts(with: "/*".utf8) {
        position += 2
        while position < bytes.count, !bytes[position...].starts(with: "*/".utf8) { skipByte() }
        position = min(position + 2, bytes.count)
      } else if Self.isSpace(bytes[position]) {
        skipByte()
      } else {
        return
      }
    }
  }

  private mutating func skipByte() {
    if bytes[position] == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  /// A string literal's text: `"\u0061"` is the same key as `a`.
  private static func decoded(_ literal: ArraySlice<UInt8>) -> String {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return (try? decoder.decode(String.self, from: Data(literal))) ?? String(decoding: literal, as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  private static func isMark(_ byte: UInt8) -> Bool { "{}[]:,\"'/".utf8.contains(byte) }
}
