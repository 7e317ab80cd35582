/// One line in the making: it stays one line, and every value stays inside its quotes, whatever it holds.
struct LogLine {
  /// No line is longer, its line feed included: a pipe with room takes it whole, without blocking.
  static let longest = 4096
  /// No text value is longer once escaped.
  static let longestValue = 1024

  private(set) var bytes: [UInt8] = []
  private let format: LogFormat
  private var isTruncated = false

  init(_ format: LogFormat) {
    self.format = format
    bytes.reserveCapacity(256)
    if format == .json { bytes.append(UInt8(ascii: "{")) }
  }

  mutating func append(_ key: StaticString, _ value: LogValue) {
    let start = bytes.count
    if start > (format == .json ? 1 : 0) { bytes.append(UInt8(ascii: format == .json ? "," : " ")) }
    switch format {
    case .logfmt:
      bytes += key.description.utf8
      bytes.append(UInt8(ascii: "="))
    case .json:
      appendQuoted(key.description)
      bytes.append(UInt8(ascii: ":"))
    }
    switch value {
    case .text(let text): appendText(text)
    case .integer(let integer): bytes += integer.description.utf8
    case .boolean(let boolean): bytes += boolean.description.utf8
    }
    if bytes.count > Self.longest - 32 {
      bytes.removeSubrange(start...)
      isTruncated = true
    }
  }

  /// The finished line with its line feed.
  consuming func finished() -> [UInt8] {
    var line = self
    if line.isTruncated {
      line.isTruncated = false
      line.append("truncated", true)
    }
    if line.format == .json { line.bytes.append(UInt8(ascii: "}")) }
    line.bytes.append(UInt8(ascii: "\n"))
    return line.bytes
  }

  private mutating func appendText(_ text: String) {
    if format == .logfmt, !text.isEmpty, text.utf8.count <= 128, text.utf8.allSatisfy(Self.isPlain) {
      bytes += text.utf8
    } else {
      appendQuoted(text)
    }
  }

  /// A JSON string, in both formats. What is not printable is written as `\u`: control characters, but also
  /// line separators and the marks that turn the direction of writing around.
  private mutating func appendQuoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    for scalar in text.unicodeScalars {
      if bytes.count - start > Self.longestValue - 16 {
        bytes += "…".utf8
        break
      }
      switch scalar {
      case "\"": bytes += #"\""#.utf8
      case "\\": bytes += #"\\"#.utf8
      case "\n": bytes += #"\n"#.utf8
      case "\r": bytes += #"\r"#.utf8
      case "\t": bytes += #"\t"#.utf8
      case _ where scalar.isPrintable: bytes += scalar.utf8
      default:
        for unit in scalar.utf16 { appendEscape(unit) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(_ unit: UInt16) {
    bytes += #"\u"#.utf8
    for shift in [12, 8, 4, 0] {
      let digit = UInt8((unit >> UInt16(shift)) & 0xf)
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// What logfmt needs no quotes for.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "@"), UInt8(ascii: "+"), UInt8(ascii: "%"), UInt8(ascii: ","), UInt8(ascii: "["),
      UInt8(ascii: "]"):
      true
    default: false
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isPrintable: Bool {
    if isASCII { return value >= 0x20 && value < 0x7f }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
      return false
    default:
      return true
    }
  }
}
