import HTTP
import Testing

/// The limits of a request, each met exactly and passed by one.
struct LimitTests {
  static let sizes = [Int.max, 1, 1000]

  private func line(_ length: Int) -> String {
    "GET /" + String(repeating: "a", count: length - "GET / HTTP/1.1".utf8.count) + " HTTP/1.1"
  }

  private func head(fields: [String]) -> String {
    "GET / HTTP/1.1\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n"
  }

  @Test(arguments: sizes) func `A request line has 8192 bytes`(_ size: Int) {
    let rest = "\r\nHost: a\r\n\r\n"
    #expect(Conversation(line(8192) + rest, inPiecesOf: size).statuses == [200])
    #expect(Conversation(line(8193) + rest, inPiecesOf: size).statuses == [414])
    #expect(Conversation(line(100_000), inPiecesOf: size).statuses == [414])
    #expect(Conversation("\r\n" + line(8192) + rest, inPiecesOf: size).statuses == [200])
  }

  @Test(arguments: sizes) func `There are 100 fields`(_ size: Int) {
    let fields = ["Host: a"] + (1..<100).map { "X-\($0): y" }
    #expect(Conversation(head(fields: fields), inPiecesOf: size).statuses == [200])
    #expect(Conversation(head(fields: fields + ["X: y"]), inPiecesOf: size).statuses == [431])
  }

  @Test(arguments: sizes, [0, 1, 2, 3]) func `Fields have 16384 bytes`(_ size: Int, _ longer: Int) {
    let room = 16_384 - "Host: a\r\n".utf8.count - "X:\r\n".utf8.count
    let full = head(fields: ["Host: a", "X:" + String(repeating: "y", count: room)])
    #expect(Conversation(full, inPiecesOf: size).statuses == [200])
    let more = head(fields: ["Host: a", "X:" + String(repeating: "y", count: room + 1 + longer)])
    #expect(Conversation(more, inPiecesOf: size).statuses == [431])
    let name = head(fields: ["Host: a", String(repeating: "y", count: 17_000)])
    #expect(Conversation(name, inPiecesOf: size).statuses == [431])
    let another = head(fields: ["Host: a", "X:" + String(repeating: "y", count: room), "Y:"])
    #expect(Conversation(another, inPiecesOf: size).statuses == [431])
  }

  @Test(arguments: sizes) func `The longest line and the longest fields go together`(_ size: Int) {
    let room = 16_384 - "Host: a\r\n".utf8.count - "X:\r\n".utf8.count
    let text = "\r\n\(line(8192))\r\nHost: a\r\nX:" + String(repeating: "y", count: room) + "\r\n\r\n"
    #expect(Conversation(text, inPiecesOf: size).statuses == [200])
  }

  @Test(arguments: sizes) func `A body has as many bytes as the listener says`(_ size: Int) {
    let limits = RequestLimits(body: 10)
    let head = "POST / HTTP/1.1\r\nHost: a\r\n"
    func statuses(_ rest: String) -> [Int] {
      Conversation(head + rest, inPiecesOf: size, limits: limits).statuses
    }
    #expect(statuses("Content-Length: 10\r\n\r\n0123456789") == [200])
    #expect(statuses("Content-Length: 11\r\n\r\n") == [413])
    #expect(statuses("Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n") == [200])
    #expect(statuses("Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n6\r\n") == [413])
  }

  @Test(arguments: sizes) func `Trailers and extensions of chunks are bounded`(_ size: Int) {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    func statuses(_ rest: String) -> [Int] { Conversation(head + rest, inPiecesOf: size).statuses }
    let trailers = String(repeating: "T: u\r\n", count: 100)
    #expect(statuses("0\r\n\(trailers)\r\n") == [200])
    #expect(statuses("0\r\n\(trailers)T: u\r\n\r\n") == [431])
    #expect(statuses("0\r\nT: \(String(repeating: "u", count: 16_384))\r\n\r\n") == [431])
    #expect(statuses("0;\(String(repeating: "e", count: 1000))\r\n\r\n") == [200])
    #expect(statuses("0;\(String(repeating: "e", count: 1100))\r\n\r\n") == [400])
    #expect(statuses(String(repeating: "1;e\r\nx\r\n", count: 1000)) == [400])
  }

  @Test func `A long body is read only where one is awaited, by a length that it states, four at once`() {
    var limits = RequestLimits(body: 10)
    limits.longBodies = [.init(.put, pathEnd: "/crl", bytes: 100)]
    func isRead(_ line: String, _ length: String = "Content-Length: 100") -> Bool {
      var parser = RequestParser(limits: limits)
      let head = Array("\(line) HTTP/1.1\r\nHost: a\r\n\(length)\r\n\r\n".utf8)
      switch parser.feed(head.span).event {
      case .head: return true
      case .longBody: if case .head = parser.permit() { return true } else { return false }
      case .needsMore, .request, .failed: return false
      }
    }
    #expect(isRead("PUT /a/crl") && isRead("PUT /a/crl?b"))
    #expect(!isRead("POST /a/crl") && !isRead("PUT /a/crl/b") && !isRead("PUT /crl2") && !isRead("PUT /rl"))
    #expect(!isRead("PUT /a/crl", "Content-Length: 101"))

    var parsers = (0..<4).map { _ in Box(RequestParser(limits: limits)) }
    let head = Array("PUT /a/crl HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n".utf8)
    for parser in parsers { _ = parser.value.feed(head.span) }
    #expect(isRead("PUT /a/crl"), "who was not let in takes no place")
    for parser in parsers { _ = parser.value.permit() }
    #expect(!isRead("PUT /a/crl"))
    #expect(isRead("PUT /a/crl", "Content-Length: 10"), "a short one is not one of them")
    parsers.removeLast()
    #expect(isRead("PUT /a/crl"))
    var impatient = RequestParser(limits: limits)
    _ = impatient.feed(head.span)
    guard case .failed = impatient.feed([1, 2, 3].span).event else {
      Issue.record("a long body was taken that nobody has permitted")
      return
    }
  }

  private final class Box {
    var value: RequestParser
    init(_ value: consuming RequestParser) { self.value = value }
  }
}
