/// Takes the chunks of a body apart (RFC 9112 §7.1), drops extensions and trailers, and keeps both small.
struct ChunkedDecoder {
  private enum State {
    case sizeStart, size
    case extensionStart, extensionName, extensionValueStart, extensionToken
    case extensionQuoted, extensionEscaped, extensionQuotedEnd
    case sizeLineFeed
    case data, dataCarriageReturn, dataLineFeed
    case trailerStart, trailerName, trailerValue, trailerLineFeed, lastLineFeed
    case complete
  }

  /// Extensions of all chunks together, in bytes; nobody is known to send any.
  private static let extensionLimit = 1 << 10
  /// Hex digits of one size, leading zeros among them.
  private static let digitLimit = 16

  private let limits: RequestLimits
  private var state = State.sizeStart
  private var missing = 0
  private var digits = 0
  private var extensionBytes = 0
  private var trailerBytes = 0
  private var trailerCount = 0

  init(limits: RequestLimits) { self.limits = limits }

  var isComplete: Bool { state == .complete }

  /// Appends what `input` holds of the body, and says how many bytes of `input` belong to it.
  mutating func decode(_ input: Span<UInt8>, into body: inout [UInt8]) throws(RequestFailure) -> Int {
    var position = 0
    while position < input.count, state != .complete {
      if state == .data {
        let end = position + min(missing, input.count - position)
        body.append(copying: input, position..<end)
        missing -= end - position
        position = end
        if missing == 0 { state = .dataCarriageReturn }
      } else {
        try step(input[position], after: body.count)
        position += 1
      }
    }
    return position
  }

  private mutating func step(_ byte: UInt8, after length: Int) throws(RequestFailure) {
    switch state {
    case .sizeStart:
      guard let digit = byte.hexDigit else { throw .malformed("A chunk must begin with its size.") }
      (missing, digits) = (Int(digit), 1)
      state = .size
      try checkSize(after: length)
    case .size:
      if let digit = byte.hexDigit {
        digits += 1
        missing = missing << 4 | Int(digit)
        try checkSize(after: length)
      } else {
        try endOfSize(byte)
      }
    case .extensionStart:
      guard ByteSet.token.contains(byte) else { throw .extensionMalformed }
      state = .extensionName
    case .extensionName:
      if byte == UInt8(ascii: "=") {
        state = .extensionValueStart
      } else if !ByteSet.token.contains(byte) {
        try endOfSize(byte)
      }
    case .extensionValueStart:
      guard byte == UInt8(ascii: "\"") || ByteSet.token.contains(byte) else { throw .extensionMalformed }
      state = byte == UInt8(ascii: "\"") ? .extensionQuoted : .extensionToken
    case .extensionToken:
      if !ByteSet.token.contains(byte) { try endOfSize(byte) }
    case .extensionQuoted:
      if byte == UInt8(ascii: "\"") {
        state = .extensionQuotedEnd
      } else if byte == UInt8(ascii: "\\") {
        state = .extensionEscaped
      } else {
        guard byte.isFieldContent else { throw .extensionMalformed }
      }
    case .extensionEscaped:
      guard byte.isFieldContent else { throw .extensionMalformed }
      state = .extensionQuoted
    case .extensionQuotedEnd:
      try endOfSize(byte)
    case .sizeLineFeed:
      try expect(.lineFeed, byte)
      state = missing == 0 ? .trailerStart : .data
    case .data, .complete:
      break
    case .dataCarriageReturn:
      try expect(.carriageReturn, byte)
      state = .dataLineFeed
    case .dataLineFeed:
      try expect(.lineFeed, byte)
      state = .sizeStart
    case .trailerStart:
      if byte == .carriageReturn {
        state = .lastLineFeed
      } else {
        try countTrailer(byte, begins: true)
        guard ByteSet.token.contains(byte) else { throw .trailerMalformed }
        state = .trailerName
      }
    case .trailerName:
      try countTrailer(byte)
      if byte == UInt8(ascii: ":") {
        state = .trailerValue
      } else {
        guard ByteSet.token.contains(byte) else { throw .trailerMalformed }
      }
    case .trailerValue:
      try countTrailer(byte)
      if byte == .carriageReturn {
        state = .trailerLineFeed
      } else {
        guard byte.isFieldContent else { throw .trailerMalformed }
      }
    case .trailerLineFeed:
      try countTrailer(byte)
      try expect(.lineFeed, byte)
      state = .trailerStart
    case .lastLineFeed:
      try expect(.lineFeed, byte)
      state = .complete
    }
    switch state {
    case .extensionStart, .extensionName, .extensionValueStart, .extensionToken, .extensionQuoted,
      .extensionEscaped, .extensionQuotedEnd:
      extensionBytes += 1
      guard extensionBytes <= ChunkedDecoder.extensionLimit else {
        throw .malformed("There are more chunk extensions than this server reads.")
      }
    case .sizeStart, .size, .sizeLineFeed, .data, .dataCarriageReturn, .dataLineFeed, .trailerStart,
      .trailerName, .trailerValue, .trailerLineFeed, .lastLineFeed, .complete:
      break
    }
  }

  private func checkSize(after length: Int) throws(RequestFailure) {
    guard digits <= ChunkedDecoder.digitLimit else { throw .malformed("A chunk size has too many digits.") }
    guard missing <= limits.body - length else { throw .bodyTooLarge }
  }

  private mutating func endOfSize(_ byte: UInt8) throws(RequestFailure) {
    switch byte {
    case .carriageReturn: state = .sizeLineFeed
    case UInt8(ascii: ";"): state = .extensionStart
    case _: throw .malformed("A chunk size must be hex digits, ending with CR LF or a well-formed extension.")
    }
  }

  private func expect(_ expected: UInt8, _ byte: UInt8) throws(RequestFailure) {
    guard byte == expected else { throw .malformed("Chunks and their lines must end with CR LF.") }
  }

  private mutating func countTrailer(_ byte: UInt8, begins: Bool = false) throws(RequestFailure) {
    trailerBytes += 1
    if begins { trailerCount += 1 }
    guard trailerBytes <= limits.fieldBytes, trailerCount <= limits.fieldCount else {
      throw RequestFailure(.headTooLarge, "The trailer section is longer than this server reads.")
    }
  }
}

extension RequestFailure {
  fileprivate static let extensionMalformed = malformed("A chunk extension must be ;name or ;name=value.")
  fileprivate static let trailerMalformed = malformed("A trailer line must be a name, a colon and a value.")
}
