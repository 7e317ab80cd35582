extension JSONValue {
  /// Objects and arrays within each other; more is refused.
  public static let depthLimit = 16

  /// Reads one JSON text (RFC 8259), strictly: UTF-8, no duplicate names, no lone surrogates, nothing after it.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    var parser = JSONParser(bytes: bytes)
    self = try parser.text()
  }
}

/// A recursive descent over bytes, bounded in depth.
struct JSONParser {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func text() throws(JSONError) -> JSONValue {
    try checkEncoding()
    skipBlanks()
    let value = try value()
    skipBlanks()
    guard position == bytes.count else { throw error("there must be nothing after the value") }
    return value
  }

  /// Once for the whole text: what lies between two ASCII bytes is then UTF-8 too.
  private func checkEncoding() throws(JSONError) {
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw JSONError(offset: error.byteOffsets.lowerBound, detail: "the text must be UTF-8")
    }
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    switch current {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { parser throws(JSONError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), 0x30...0x39: return try number()
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case _: throw error("a value must begin here")
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    guard depth < JSONValue.depthLimit else {
      throw error("values may nest \(JSONValue.depthLimit) deep")
    }
    depth += 1
    position += 1
    skipBlanks()
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    var members: [JSONMember] = []
    var names: Set<String> = []
    if take("}") { return .object(members) }
    repeat {
      skipBlanks()
      let start = position
      guard current == UInt8(ascii: "\"") else { throw error("a member must begin with its name") }
      let name = try string()
      guard names.insert(name).inserted else {
        throw JSONError(offset: start, detail: "the member \"\(name)\" stands twice")
      }
      skipBlanks()
      guard take(":") else { throw error("a colon must follow a member's name") }
      skipBlanks()
      members.append(JSONMember(name, try value()))
      skipBlanks()
    } while take(",")
    guard take("}") else { throw error("a comma or } must follow a member") }
    return .object(members)
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    var elements: [JSONValue] = []
    if take("]") { return .array(elements) }
    repeat {
      skipBlanks()
      elements.append(try value())
      skipBlanks()
    } while take(",")
    guard take("]") else { throw error("a comma or ] must follow an element") }
    return .array(elements)
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw error("a value must begin here") }
    position += word.utf8.count
    return value
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    var isInteger = true
    take("-")
    if !take("0") { try digits() }
    if take(".") {
      isInteger = false
      try digits()
    }
    if take("e") || take("E") {
      isInteger = false
      if !take("+") { take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let integer = Int64(text) { return .integer(integer) }
    // Neither infinity nor zero may stand for a number that is neither.
    let isZero = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.allSatisfy { !(0x31...0x39 ~= $0) }
    guard let number = Double(text), number.isFinite, number != 0 || isZero else {
      throw JSONError(offset: start, detail: "the number is beyond a double")
    }
    return .number(number)
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while 0x30...0x39 ~= current { position += 1 }
    guard position > start else { throw error("a digit must stand here") }
  }

  /// The byte at hand; NUL, which can stand nowhere, at the end.
  private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  @discardableResult
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while current == 0x20 || current == 0x09 || current == 0x0a || current == 0x0d { position += 1 }
  }

  private func error(_ detail: String) -> JSONError { JSONError(offset: position, detail: detail) }
}

extension JSONParser {
  private mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    while current >= 0x20, current != UInt8(ascii: "\""), current != UInt8(ascii: "\\") { position += 1 }
    if take("\"") { return String(decoding: bytes[start..<position - 1], as: UTF8.self) }
    var text = Array(bytes[start..<position])
    while !take("\"") {
      if current == UInt8(ascii: "\\") {
        text.append(contentsOf: String(try escaped()).utf8)
      } else {
        guard current >= 0x20 else { throw error("a string must end with \" and hold no control characters") }
        text.append(current)
        position += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
    let start = position
    position += 1
    defer { position += 1 }
    switch current {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try codeUnit()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // The first half of a pair must be followed by the second.
      if 0xd800...0xdbff ~= unit, bytes[position...].dropFirst().starts(with: #"\u"#.utf8) {
        position += 2
        let second = try codeUnit()
        let pair = 0x10000 + (UInt32(unit) - 0xd800) << 10 + UInt32(second &- 0xdc00)
        if 0xdc00...0xdfff ~= second, let scalar = Unicode.Scalar(pair) { return scalar }
      }
      throw JSONError(offset: start, detail: "half a surrogate pair stands alone")
    case _:
      throw JSONError(offset: start, detail: "there is no such escape")
    }
  }

  /// The four digits after `u`; stops on the last.
  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      position += 1
      guard let digit = Character(Unicode.Scalar(current)).hexDigitValue else {
        throw error("an escape \\u must have four hex digits")
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
