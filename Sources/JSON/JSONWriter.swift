/// Writes JSON (RFC 8259) straight into bytes, in the order of the calls.
///
///     var writer = JSONWriter()
///     writer.object { writer in
///       writer.member("seats", 2)
///       writer.member("data", array: names) { writer, name in writer.value(name) }
///     }
///     return writer.bytes
public struct JSONWriter: Sendable {
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  public init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    open("{")
    body(&self)
    close("}")
  }

  public mutating func array(_ body: (inout JSONWriter) -> Void) {
    open("[")
    body(&self)
    close("]")
  }

  public mutating func value(_ text: String) {
    separate()
    quote(text)
  }

  public mutating func value(_ number: Int64) {
    separate()
    bytes.append(decimal: number)
  }

  public mutating func value(_ number: Int) { value(Int64(number)) }

  public mutating func value(_ truth: Bool) {
    separate()
    bytes.append(contentsOf: (truth ? "true" : "false").utf8)
  }

  /// The shortest digits that read back as the same number; what JSON has no word for (NaN, infinity) is null.
  public mutating func value(_ number: Double) {
    guard number.isFinite else { return null() }
    separate()
    bytes.append(contentsOf: number.description.utf8)
  }

  public mutating func value(_ time: Timestamp) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    time.append(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  public mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .boolean(let truth): self.value(truth)
    case .integer(let number): self.value(number)
    case .number(let number): self.value(number)
    case .string(let text): self.value(text)
    case .array(let elements): array { writer in for element in elements { writer.value(element) } }
    case .object(let members):
      object { writer in for member in members { writer.member(member.name, member.value) } }
    }
  }

  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// The name of a member, whose value must be written next.
  public mutating func name(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  private mutating func open(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  /// Escapes what must be escaped and nothing else (RFC 8259 §7).
  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.contains(where: \.needsEscape) {
      for byte in text.utf8 { bytes.append(escaping: byte) }
    } else {
      bytes.append(contentsOf: text.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension UInt8 {
  fileprivate var needsEscape: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

extension [UInt8] {
  fileprivate mutating func append(decimal number: Int64) {
    guard number >= 0 else { return append(contentsOf: number.description.utf8) }
    if number >= 10 { append(decimal: number / 10) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  fileprivate mutating func append(escaping byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append(contentsOf: #"\""#.utf8)
    case UInt8(ascii: "\\"): append(contentsOf: #"\\"#.utf8)
    case 0x0a: append(contentsOf: #"\n"#.utf8)
    case 0x0d: append(contentsOf: #"\r"#.utf8)
    case 0x09: append(contentsOf: #"\t"#.utf8)
    case 0..<0x20:
      append(contentsOf: #"\u00"#.utf8)
      for digit in [byte >> 4, byte & 0xf] { append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
    case _: append(byte)
    }
  }
}
