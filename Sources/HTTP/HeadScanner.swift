/// Judges the head of a request in the order of its bytes, wherever the input was cut (RFC 9112 §2–§6).
///
/// It reads the whole head so far each time and goes on where it stopped. What it decides depends only on the bytes
/// before `position`, so that fragments and whole requests get the same verdict.
struct HeadScanner {
  private enum Part {
    case requestLine, fieldName
    case fieldValue(colon: Int)
  }

  /// Everything before it has been judged; once the head is complete, its length.
  private(set) var position = 0
  private(set) var head = RequestHead()
  private var part = Part.requestLine
  private var lineStart = 0
  private var fieldCount = 0
  /// What the fields so far say about framing and the connection.
  private var fields = FramingFields()

  /// - Parameter bytes: the head from its first byte, and perhaps more.
  /// - Returns: whether the head is complete.
  mutating func scan(_ bytes: Span<UInt8>, limits: RequestLimits) throws(RequestFailure) -> Bool {
    if case .requestLine = part, try !scanRequestLine(bytes, limits: limits) { return false }
    while true {
      switch part {
      case .requestLine, .fieldName:
        if position == lineStart, position < bytes.count, bytes[position] == .carriageReturn {
          guard try scanLineEnd(bytes, to: bytes.count) else { return false }
          try fields.complete(&head, bytes, limits: limits)
          return true
        }
        guard try scanFieldName(bytes, limits: limits) else { return false }
      case .fieldValue(let colon):
        guard try scanFieldValue(bytes, after: colon, limits: limits) else { return false }
      }
    }
  }

  private mutating func scanRequestLine(
    _ bytes: Span<UInt8>, limits: RequestLimits
  ) throws(RequestFailure) -> Bool {
    // One empty line before it is forgiven (RFC 9112 §2.2).
    if position == 0, bytes.count > 0, bytes[0] == .carriageReturn {
      guard try scanLineEnd(bytes, to: bytes.count) else { return false }
    }
    let end = min(bytes.count, lineStart + limits.requestLine + 1)
    position = bytes.first(from: position, to: end) { byte in !(0x20...0x7e ~= byte) }
    guard position - lineStart <= limits.requestLine else {
      throw RequestFailure(.targetTooLong, "The request line is longer than this server reads.")
    }
    let lineEnd = position
    guard position < bytes.count else { return false }
    let line = ByteRange(lineStart, lineEnd)
    guard try scanLineEnd(bytes, to: bytes.count) else { return false }
    try head.readRequestLine(bytes, line)
    head.fields = position
    part = .fieldName
    return true
  }

  private mutating func scanFieldName(
    _ bytes: Span<UInt8>, limits: RequestLimits
  ) throws(RequestFailure) -> Bool {
    let limit = head.fields + limits.fieldBytes
    let end = min(bytes.count, limit)
    position = bytes.first(from: position, to: end) { byte in !ByteSet.token.contains(byte) }
    guard position < end else {
      // Exactly full is no fault until a further line begins.
      if position > lineStart || bytes.count > limit { try refuseMore(end, limit) }
      return false
    }
    guard position > lineStart, bytes[position] == UInt8(ascii: ":") else {
      throw .malformed(
        "A header line must be a name, a colon at once, and a value, on one line ending with CR LF.")
    }
    fieldCount += 1
    guard fieldCount <= limits.fieldCount else {
      throw RequestFailure(.headTooLarge, "There are more header fields than this server reads.")
    }
    part = .fieldValue(colon: position)
    position += 1
    return true
  }

  private mutating func scanFieldValue(
    _ bytes: Span<UInt8>, after colon: Int, limits: RequestLimits
  ) throws(RequestFailure) -> Bool {
    let limit = head.fields + limits.fieldBytes
    let end = min(bytes.count, limit)
    position = bytes.first(from: position, to: end) { byte in !byte.isFieldContent }
    let name = ByteRange(lineStart, colon)
    let value = ByteRange(colon + 1, position)
    guard position < end, try scanLineEnd(bytes, to: end) else {
      try refuseMore(end, limit)
      return false
    }
    try fields.read(bytes, name, bytes.trimmed(value))
    part = .fieldName
    return true
  }

  /// Moves over CR LF to the next line; false if the LF has not come yet.
  private mutating func scanLineEnd(_ bytes: Span<UInt8>, to end: Int) throws(RequestFailure) -> Bool {
    guard bytes[position] == .carriageReturn else {
      throw .malformed("Lines must end with CR LF and hold no control characters.")
    }
    guard position + 1 < end else { return false }
    guard bytes[position + 1] == .lineFeed else {
      throw .malformed("A CR must be followed by a LF.")
    }
    position += 2
    lineStart = position
    return true
  }

  private func refuseMore(_ end: Int, _ limit: Int) throws(RequestFailure) {
    guard end < limit else {
      throw RequestFailure(.headTooLarge, "The header section is longer than this server reads.")
    }
  }
}
