/// Finds the answers in what a server sends: status, length, and whether the connection stays. It trusts the server
/// that it measures to speak HTTP/1.1 with a Content-Length, and says so when it does not.
struct AnswerScanner {
  struct Answer {
    let status: Int
    let keepsAlive: Bool
    /// The body, until the next call.
    let body: ArraySlice<UInt8>
  }

  enum Failure: Error {
    case unreadable
  }

  private var buffer: [UInt8] = []

  mutating func add(_ bytes: Span<UInt8>) {
    buffer.append(addingCapacity: bytes.count) { output in
      for index in bytes.indices { output.append(bytes[index]) }
    }
  }

  /// The next answer if it has come whole.
  mutating func next() throws(Failure) -> Answer? {
    guard let head = endOfHead() else { return nil }
    guard let status = status() else { throw .unreadable }
    var length = status == 204 || status == 304 ? 0 : nil as Int?
    var keepsAlive = true
    var start = 0
    while start < head {
      let end = endOfLine(from: start)
      if begins(at: start, with: "content-length:") {
        guard let number = number(from: start + 15, to: end) else { throw .unreadable }
        length = number
      } else if begins(at: start, with: "connection: close") {
        keepsAlive = false
      }
      start = end + 2
    }
    guard let length else { throw .unreadable }
    guard buffer.count >= head + length else { return nil }
    let body = buffer[head..<head + length]
    buffer.removeFirst(head + length)
    return Answer(status: status, keepsAlive: keepsAlive, body: body)
  }

  private func endOfHead() -> Int? {
    var index = 3
    while index < buffer.count {
      // Lines end in CR LF; a line feed three places behind another one ends the head.
      if buffer[index] == 0x0a, buffer[index - 2] == 0x0a { return index + 1 }
      index += 1
    }
    return nil
  }

  private func endOfLine(from start: Int) -> Int {
    var index = start
    while index < buffer.count, buffer[index] != 0x0d { index += 1 }
    return index
  }

  private func status() -> Int? {
    guard buffer.count > 12, begins(at: 0, with: "http/1.1 ") else { return nil }
    return number(from: 9, to: 12)
  }

  /// Whether a text in lower case stands here, in any case.
  private func begins(at start: Int, with text: StaticString) -> Bool {
    guard start + text.utf8CodeUnitCount <= buffer.count else { return false }
    return text.withUTF8Buffer { wanted in
      for index in 0..<text.utf8CodeUnitCount {
        let byte = buffer[start + index]
        let lower = 0x41...0x5a ~= byte ? byte | 0x20 : byte
        if unsafe lower != wanted[index] { return false }
      }
      return true
    }
  }

  private func number(from start: Int, to end: Int) -> Int? {
    var result = 0
    var index = start
    while index < end, buffer[index] == 0x20 { index += 1 }
    guard index < end, end - index < 10 else { return nil }
    while index < end {
      guard 0x30...0x39 ~= buffer[index] else { return nil }
      result = result * 10 + Int(buffer[index] - 0x30)
      index += 1
    }
    return result
  }
}
