extension Span<UInt8> {
  /// The first index from `start` whose byte fits, or `end`.
  @inline(__always)
  func first(from start: Int, to end: Int, where fits: (UInt8) -> Bool) -> Int {
    var index = start
    while index < end, !fits(self[index]) { index += 1 }
    return index
  }

  /// Whether the bytes are those of `text`.
  func equals(_ text: String) -> Bool {
    let other = text.utf8.span
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  /// Whether the first bytes are those of `other`.
  func begins(with other: Span<UInt8>) -> Bool {
    guard count >= other.count else { return false }
    // Without a way out, the compiler compares many bytes at once.
    var difference: UInt8 = 0
    for index in other.indices { difference |= self[index] ^ other[index] }
    return difference == 0
  }

  /// Whether `range` holds `lowercase` in any case of its ASCII letters.
  func matches(_ lowercase: String, in range: ByteRange) -> Bool {
    let other = lowercase.utf8.span
    guard range.end - range.start == other.count else { return false }
    for index in other.indices where self[range.start + index].lowercased != other[index] { return false }
    return true
  }

  /// `range` without spaces and tabs at its ends.
  func trimmed(_ range: ByteRange) -> ByteRange {
    var (start, end) = (range.start, range.end)
    while start < end, self[start].isBlank { start += 1 }
    while start < end, self[end - 1].isBlank { end -= 1 }
    return ByteRange(start, end)
  }

  /// The element of a comma-separated list (RFC 9110 §5.6.1) that begins at `start`, and where the next one does.
  func element(from start: Int, to end: Int) -> (element: ByteRange, next: Int) {
    var comma = start
    while comma < end, self[comma] != UInt8(ascii: ",") { comma += 1 }
    return (trimmed(ByteRange(start, comma)), comma + 1)
  }
}

extension UInt8 {
  /// The byte with an ASCII capital made small.
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// Space or tab, what RFC 9110 §5.6.3 calls optional whitespace.
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// What a field value may hold: visible characters, blanks and obs-text, no control byte (RFC 9110 §5.5).
  var isFieldContent: Bool { self >= 0x20 && self != 0x7f || self == 0x09 }

  var isDigit: Bool { self &- 0x30 < 10 }

  var hexDigit: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }

  static let carriageReturn: UInt8 = 0x0d
  static let lineFeed: UInt8 = 0x0a
}

extension [UInt8] {
  init(copying span: Span<UInt8>, _ range: Range<Int>) {
    self.init()
    append(copying: span, range)
  }

  mutating func append(copying span: Span<UInt8>, _ range: Range<Int>) {
    append(addingCapacity: range.count) { output in
      for index in range { output.append(span[index]) }
    }
  }
}
