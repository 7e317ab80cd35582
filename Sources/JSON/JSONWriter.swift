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

  /// Members or elements without what encloses them, to be written often.
  public struct Fragment: Sendable {
    fileprivate let bytes: [UInt8]
    fileprivate let needsComma: Bool
    public var count: Int { bytes.count }
  }

  /// What `body` writes; it may end with the name of a member whose value is written after the fragment.
  ///
  /// A fragment keeps the room it was given: it is to be about as large as what is written.
  public static func fragment(capacity: Int = 64, _ body: (inout JSONWriter) -> Void) -> Fragment {
    var writer = JSONWriter(capacity: capacity)
    body(&writer)
    return Fragment(bytes: writer.bytes, needsComma: writer.needsComma)
  }

  public mutating func fragment(_ written: Fragment) {
    separate()
    bytes.append(contentsOf: written.bytes)
    needsComma = written.needsComma
  }

  public mutating func array(_ body: (inout JSONWriter) -> Void) {
    open("[")
    body(&self)
    close("]")
  }

  public mutating func value(_ text: String) {
    quote(text, isName: false)
    needsComma = true
  }

  public mutating func value(_ number: Int64) {
    let comma = needsComma
    bytes.append(addingCapacity: 21) { output in
      if comma { output.append(UInt8(ascii: ",")) }
      output.append(decimal: number)
    }
    needsComma = true
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
    value(plain: 20) { output in time.append(to: &output) }
  }

  /// A string that `body` writes, of at most `capacity` bytes of UTF-8; none of them is looked at, so none may be one
  /// that must be escaped.
  public mutating func value(plain capacity: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
    let comma = needsComma
    bytes.append(addingCapacity: capacity + 3) { output in
      if comma { output.append(UInt8(ascii: ",")) }
      output.append(UInt8(ascii: "\""))
      body(&output)
      output.append(UInt8(ascii: "\""))
    }
    needsComma = true
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

  /// A value that is JSON text already; it is not looked at.
  public mutating func value(json text: [UInt8]) {
    separate()
    bytes.append(contentsOf: text)
  }

  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// The name of a member, whose value must be written next.
  public mutating func name(_ name: String) {
    quote(name, isName: true)
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
  private mutating func quote(_ text: String, isName: Bool) {
    let utf8 = text.utf8.span
    guard !utf8.needsEscapes else { return quote(escaping: text, isName: isName) }
    let comma = needsComma
    bytes.append(addingCapacity: utf8.count + 4) { output in
      if comma { output.append(UInt8(ascii: ",")) }
      output.append(UInt8(ascii: "\""))
      for index in utf8.indices { output.append(utf8[index]) }
      output.append(UInt8(ascii: "\""))
      if isName { output.append(UInt8(ascii: ":")) }
    }
  }

  // Apart, so that what is done for most text stays small.
  @inline(never) private mutating func quote(escaping text: String, isName: Bool) {
    let utf8 = text.utf8.span
    let comma = needsComma
    bytes.append(addingCapacity: utf8.count * 6 + 4) { output in
      if comma { output.append(UInt8(ascii: ",")) }
      output.append(UInt8(ascii: "\""))
      for index in utf8.indices { output.append(escaping: utf8[index]) }
      output.append(UInt8(ascii: "\""))
      if isName { output.append(UInt8(ascii: ":")) }
    }
  }
}

extension OutputSpan<UInt8> {
  fileprivate mutating func append(decimal number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    var (digits, bound) = (1, 10 as UInt64)
    while rest >= bound { (digits, bound) = (digits + 1, bound * 10) }
    append(repeating: UInt8(ascii: "0"), count: digits)
    var place = mutableSpan
    var index = place.count
    while rest > 0 {
      index -= 1
      place[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  fileprivate mutating func append(escaping byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(letter: byte)
    case 0x0a: append(letter: UInt8(ascii: "n"))
    case 0x0d: append(letter: UInt8(ascii: "r"))
    case 0x09: append(letter: UInt8(ascii: "t"))
    case 0..<0x20:
      append(letter: UInt8(ascii: "u"))
      append(repeating: UInt8(ascii: "0"), count: 2)
      append(UInt8(ascii: "0") + byte >> 4)
      append(byte & 0xf < 10 ? UInt8(ascii: "0") + byte & 0xf : UInt8(ascii: "a") - 10 + byte & 0xf)
    case _: append(byte)
    }
  }

  private mutating func append(letter: UInt8) {
    append(UInt8(ascii: "\\"))
    append(letter)
  }
}
