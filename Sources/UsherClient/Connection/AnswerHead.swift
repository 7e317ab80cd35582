/// Status line and fields of an answer, and how its body is delimited (RFC 9112 section 6.3).
struct AnswerHead: Sendable {
  enum Framing: Sendable, Hashable {
    case length(Int)
    case chunked
    /// Until the server closes.
    case untilEnd
  }

  let status: Int
  let fields: [(name: String, value: String)]
  let framing: Framing
  let keepsAlive: Bool

  /// Reads everything before the empty line.
  init(_ bytes: ArraySlice<UInt8>) throws(AnswerFailure) {
    var lines = try Self.lines(bytes)[...]
    guard let statusLine = lines.popFirst() else { throw AnswerFailure("there is no status line") }
    let (status, isCurrent) = try Self.status(statusLine)
    var fields: [(name: String, value: String)] = []
    for line in lines { fields.append(try Self.field(line)) }
    self.status = status
    self.fields = fields
    framing = try Self.framing(status, fields)
    let options = fields.filter { $0.name == "connection" }.flatMap {
      $0.value.lowercased().split(separator: ",")
    }
    let closes = options.contains { $0.drop { $0 == " " } == "close" }
    keepsAlive = isCurrent && !closes && framing != .untilEnd
  }

  /// Lines end in CR LF; neither stands anywhere else.
  private static func lines(_ bytes: ArraySlice<UInt8>) throws(AnswerFailure) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    for var line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      guard line.popLast() == UInt8(ascii: "\r"), line.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7f })
      else { throw AnswerFailure("a line of the head holds a control character") }
      lines.append(line)
    }
    return lines
  }

  private static func status(_ line: ArraySlice<UInt8>) throws(AnswerFailure) -> (Int, isCurrent: Bool) {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    let isCurrent = parts[0].elementsEqual("HTTP/1.1".utf8)
    guard isCurrent || parts[0].elementsEqual("HTTP/1.0".utf8), parts.count >= 2, parts[1].count == 3,
      let status = decimal(parts[1]), 100...599 ~= status
    else { throw AnswerFailure("the status line is not one of HTTP/1.1") }
    return (status, isCurrent)
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(AnswerFailure) -> (name: String, value: String)
  {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy({ isNameByte($0) })
    else { throw AnswerFailure("a header field has no name") }
    var value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
    while value.last == 0x20 || value.last == 0x09 { value.removeLast() }
    return (
      String(decoding: line[..<colon], as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self)
    )
  }

  private static func framing(
    _ status: Int, _ fields: [(name: String, value: String)]
  ) throws(AnswerFailure) -> Framing {
    let lengths = fields.filter { $0.name == "content-length" }
    let encodings = fields.filter { $0.name == "transfer-encoding" }
    if status < 200 || status == 204 || status == 304 { return .length(0) }
    switch (lengths.count, encodings.count) {
    case (0, 0): return .untilEnd
    case (1, 0):
      guard let length = decimal(Array(lengths[0].value.utf8)[...]) else {
        throw AnswerFailure("Content-Length is no length")
      }
      return .length(length)
    case (0, 1):
      guard encodings[0].value.lowercased() == "chunked" else {
        throw AnswerFailure("Transfer-Encoding is not chunked")
      }
      return .chunked
    case _: throw AnswerFailure("the body's length is ambiguous")
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    case _: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    guard 1...9 ~= digits.count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

/// Why bytes are no answer of HTTP/1.1.
struct AnswerFailure: Error, Hashable {
  let detail: String
  init(_ detail: String) { self.detail = detail }
}
