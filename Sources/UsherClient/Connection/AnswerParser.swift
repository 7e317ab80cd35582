/// Reads answers out of the bytes of a connection, strictly (RFC 9112): what is ambiguous is refused.
///
/// It buffers a whole answer, of which head and body are bounded, and looks at it afresh when more has come: answers are
/// small and mostly come in one piece.
struct AnswerParser {
  static let headLimit = 32 * 1024
  static let usualBodyLimit = 1024 * 1024

  let bodyLimit: Int

  private var buffer: [UInt8] = []
  private var head: AnswerHead?

  init(bodyLimit: Int = usualBodyLimit) { self.bodyLimit = bodyLimit }

  /// Whether a part of an answer is there.
  var hasBegun: Bool { head != nil || !buffer.isEmpty }

  mutating func add(_ bytes: some Collection<UInt8>) { buffer.append(contentsOf: bytes) }

  /// The next answer if it is complete; `ended` says that nothing more will come.
  mutating func next(ended: Bool = false) throws(AnswerFailure) -> Answer? {
    while head == nil {
      guard let end = endOfHead else {
        guard buffer.count <= Self.headLimit else { throw AnswerFailure("the head is too long") }
        if ended { throw AnswerFailure("the connection ended before the answer") }
        return nil
      }
      let next = try AnswerHead(buffer[..<end])
      buffer.removeFirst(end + 2)
      // 100 Continue and the like come before the answer.
      if next.status >= 200 { head = next }
    }
    guard let head else { return nil }
    guard let (body, length) = try body(head.framing, ended: ended) else {
      if ended { throw AnswerFailure("the connection ended within the answer") }
      return nil
    }
    buffer.removeFirst(length)
    self.head = nil
    return Answer(status: head.status, fields: head.fields, body: body, keepsAlive: head.keepsAlive)
  }

  /// Where the empty line begins.
  private var endOfHead: Int? { buffer.firstRange(of: [0x0d, 0x0a, 0x0d, 0x0a]).map { $0.lowerBound + 2 } }

  /// The body, and how many bytes it takes in the buffer; nil when it is not complete.
  private func body(
    _ framing: AnswerHead.Framing, ended: Bool
  ) throws(AnswerFailure) -> (body: [UInt8], length: Int)? {
    switch framing {
    case .length(let length):
      guard length <= bodyLimit else { throw AnswerFailure("the body is too long") }
      return buffer.count < length ? nil : (Array(buffer[..<length]), length)
    case .untilEnd:
      guard buffer.count <= bodyLimit else { throw AnswerFailure("the body is too long") }
      return ended ? (buffer, buffer.count) : nil
    case .chunked: return try chunks()
    }
  }

  private func chunks() throws(AnswerFailure) -> (body: [UInt8], length: Int)? {
    var body: [UInt8] = []
    var rest = buffer[...]
    while true {
      guard let line = try takeLine(&rest) else { return nil }
      // Extensions after a semicolon mean nothing to us.
      let digits = line.prefix { $0 != UInt8(ascii: ";") }
      guard 1...6 ~= digits.count, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
        size >= 0,
        digits.first != UInt8(ascii: "+")
      else { throw AnswerFailure("a chunk has no size") }
      if size == 0 { break }
      guard body.count + size <= bodyLimit else { throw AnswerFailure("the body is too long") }
      guard rest.count >= size + 2 else { return nil }
      body += rest.prefix(size)
      rest.removeFirst(size)
      guard rest.starts(with: [0x0d, 0x0a]) else { throw AnswerFailure("a chunk is longer than it says") }
      rest.removeFirst(2)
    }
    // Trailers are dropped.
    while let line = try takeLine(&rest) {
      if line.isEmpty { return (body, buffer.count - rest.count) }
    }
    return nil
  }

  private func takeLine(_ rest: inout ArraySlice<UInt8>) throws(AnswerFailure) -> ArraySlice<UInt8>? {
    guard let end = rest.firstRange(of: [0x0d, 0x0a]) else {
      guard rest.count <= Self.headLimit else { throw AnswerFailure("a line is too long") }
      return nil
    }
    defer { rest = rest[end.upperBound...] }
    return rest[..<end.lowerBound]
  }
}
