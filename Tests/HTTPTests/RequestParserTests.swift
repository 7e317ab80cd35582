import HTTP
import Testing

struct RequestParserTests {
  /// What is read, and what the application gets of it.
  static let sound: [(Wire, String)] = [
    ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "get / "),
    ("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "get / "),
    ("GET /a/b?c=d&e=%20+ HTTP/1.1\r\nHost: a:8443\r\n\r\n", "get /a/b "),
    ("DELETE /a%2Fb/%C3%A9 HTTP/1.1\r\nhOsT:\t [::1]:443 \t\r\n\r\n", "delete /a%2Fb/%C3%A9 "),
    ("GET / HTTP/1.1\r\nHost: a\r\nX:\r\nY: caf\u{e9}\r\n\r\n", "get / "),
    ("GET /-._~!$&'()*+,;=:@ HTTP/1.1\r\nHost: a\r\n\r\n", "get /-._~!$&'()*+,;=:@ "),
    ("PURGE / HTTP/1.1\r\nHost: a\r\n\r\n", "other / "),
    ("get / HTTP/1.1\r\nHost: a\r\n\r\n", "other / "),
    ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "options * "),
    ("GET http://A:80/x HTTP/1.1\r\nHost: a:80\r\n\r\n", "get /x "),
    ("GET HTTPS://a?x HTTP/1.1\r\nHost: a\r\n\r\n", "get  "),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", "post / hello"),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\n\r\nhello", "post / hello"),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "post / "),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n\r\n", "get / \r\n"),
    (
      "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nab\r\n00A\r\n0123456789\r\n0\r\n\r\n",
      "put / ab0123456789"
    ),
    (
      "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;a;b=c;d=\"\\\"; \"\r\nx\r\n0;e\r\nT: u\r\nV:\r\n\r\n",
      "put / x"
    ),
    ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n", "get /  close"),
    ("GET / HTTP/1.1\r\nHost: a\r\nConnection: x,\tclose ,,y\r\n\r\n", "get /  close"),
    ("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n", "get /  close"),
    ("GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n", "get / "),
    ("GET / HTTP/1.0\r\n\r\n", "get /  close"),
    ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "get / "),
    ("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", "get /  close"),
    ("POST / HTTP/1.0\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nab", "post / ab close"),
    ("GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", "get / "),
    ("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n", "get / "),
  ]

  @Test(arguments: sound)
  func `A sound request is read`(_ wire: Wire, _ expected: String) {
    for size in [Int.max, 1, 2, 5] {
      let conversation = Conversation(wire.text, inPiecesOf: size)
      #expect(conversation.outcomes.map(\.description) == [expected], "in pieces of \(size)")
    }
  }

  /// What is refused, and how.
  static let unsound: [(Wire, Int)] = [
    // Line ends and folding.
    ("GET / HTTP/1.1\nHost: a\n\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\n\r\n", 400),
    ("GET / HTTP/1.1\rHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\n\rX", 400),
    ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400),
    // The request line.
    ("GET /\r\n", 400),
    ("GET  / HTTP/1.1\r\n", 400),
    ("GET / HTTP/1.1 \r\n", 400),
    (" GET / HTTP/1.1\r\n", 400),
    ("GET\t/ HTTP/1.1\r\n", 400),
    ("GET / a HTTP/1.1\r\n", 400),
    ("G(T / HTTP/1.1\r\n", 400),
    ("GET / http/1.1\r\n", 400),
    ("GET / HTTP/1.10\r\n", 400),
    ("GET / HTTP/11\r\n", 400),
    ("GET / ICE/1.0\r\n", 400),
    ("GET / HTTP/1.2\r\n", 505),
    ("GET / HTTP/0.9\r\n", 505),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    ("CONNECT a:443 HTTP/1.1\r\n", 501),
    ("GET a HTTP/1.1\r\n", 400),
    ("GET a:443 HTTP/1.1\r\n", 400),
    ("GET * HTTP/1.1\r\n", 400),
    ("OPTIONS ** HTTP/1.1\r\n", 400),
    ("GET ftp://a/ HTTP/1.1\r\n", 400),
    ("GET http:///x HTTP/1.1\r\n", 400),
    ("GET http:// HTTP/1.1\r\n", 400),
    ("GET http://u:p@a/ HTTP/1.1\r\n", 400),
    ("GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET http://a:1/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /#a HTTP/1.1\r\n", 400),
    ("GET /\" HTTP/1.1\r\n", 400),
    ("GET /\\ HTTP/1.1\r\n", 400),
    ("GET /?| HTTP/1.1\r\n", 400),
    ("GET /\u{e9} HTTP/1.1\r\n", 400),
    ("GET /\u{0} HTTP/1.1\r\n", 400),
    ("GET /% HTTP/1.1\r\n", 400),
    ("GET /%4 HTTP/1.1\r\n", 400),
    ("GET /%4g HTTP/1.1\r\n", 400),
    ("GET /%00 HTTP/1.1\r\n", 400),
    ("GET /%C3 HTTP/1.1\r\n", 400),
    ("GET /%C3/%A9 HTTP/1.1\r\n", 400),
    ("GET /%C0%AF HTTP/1.1\r\n", 400),
    ("GET /%ED%A0%80 HTTP/1.1\r\n", 400),
    ("GET /?a=%FF HTTP/1.1\r\n", 400),
    ("\u{16}\u{3}\u{1}", 400),
    // Field lines.
    ("GET / HTTP/1.1\r\nHost : a\r\n", 400),
    ("GET / HTTP/1.1\r\n: a\r\n", 400),
    ("GET / HTTP/1.1\r\nHost\r\n", 400),
    ("GET / HTTP/1.1\r\nHo st: a\r\n", 400),
    ("GET / HTTP/1.1\r\nH\u{e9}: a\r\n", 400),
    ("GET / HTTP/1.1\r\nX: a\u{0}\r\n", 400),
    ("GET / HTTP/1.1\r\nX: a\u{7f}\r\n", 400),
    ("GET / HTTP/1.1\r\nX: \u{1b}[0m\r\n", 400),
    // The host.
    ("GET / HTTP/1.1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost:\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n", 400),
    ("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a, b\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a/b\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: u@a\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a:\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a:65536\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a:1x\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: [::1\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: []\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: [::1]x\r\n", 400),
    // Framing.
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5 5\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5_0\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551617\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999999999\r\n\r\n", 413),
    ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ,chunked\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked,\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked;a=b\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n", 417),
  ]

  @Test(arguments: unsound)
  func `An unsound request is refused`(_ wire: Wire, _ status: Int) {
    for size in [Int.max, 1, 2, 5] {
      let conversation = Conversation(wire.text, inPiecesOf: size)
      #expect(conversation.outcomes == [.failed(status)], "in pieces of \(size)")
    }
  }

  /// What follows the head of a chunked request, and how it is refused.
  static let unsoundChunks: [(Wire, Int)] = [
    ("\r\n", 400), ("g\r\n", 400), ("-1\r\n", 400), ("+1\r\n", 400), ("0x1\r\n", 400), (" 1\r\n", 400),
    ("1 \r\n", 400), ("1_0\r\n", 400), ("1\n", 400), ("1\rx", 400), ("1\r\nab", 400), ("1\r\na\n", 400),
    ("1\r\na\rx", 400), ("1\r\na0", 400), ("1;\r\n", 400), ("1;a=\r\n", 400), ("1; a\r\n", 400),
    ("1;a =b\r\n", 400), ("1;a=\"b\r\n", 400), ("1;a=\"b\\\r\n", 400), ("1;a=\"b\"c\r\n", 400),
    ("1;a\u{0}\r\n", 400), ("1;a=\"\u{7}\"\r\n", 400), ("1;a\n", 400), ("1;=b\r\n", 400),
    ("10001\r\n", 413), ("ffffffffffffffffff\r\n", 413), ("00000000000000001\r\n", 400),
    ("0\r\n x: y\r\n", 400), ("0\r\nx y: z\r\n", 400), ("0\r\nx\r\n", 400), ("0\r\n:\r\n", 400),
    ("0\r\nx: \u{0}\r\n", 400), ("0\r\nx: y\n", 400), ("0\r\n\rx", 400), ("0\r\nx: y\rz", 400),
  ]

  @Test(arguments: unsoundChunks)
  func `An unsound chunked body is refused`(_ wire: Wire, _ status: Int) {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    for size in [Int.max, 1, 2, 5] {
      let conversation = Conversation(head + wire.text, inPiecesOf: size)
      #expect(conversation.outcomes == [.failed(status)], "in pieces of \(size)")
    }
  }

  @Test func `Requests on one connection follow each other without a gap`() {
    let text =
      "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na"
      + "POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\n\r\n"
      + "\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\n" + "GET /4 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
      + "GET /5 HTTP/1.1\r\nHost: a\r\n\r\n"
    for size in [Int.max, 1, 2, 3, 50] {
      #expect(
        Conversation(text, inPiecesOf: size).outcomes.map(\.description)
          == ["post /1 a", "post /2 b", "get /3 ", "get /4  close"])
    }
  }

  @Test func `What comes again is the same request, unless it has a body, a secret, or too many bytes`() {
    func request(_ parser: inout RequestParser, _ text: String) -> Request? {
      guard case .request(let request) = parser.feed(Array(text.utf8).span).event else { return nil }
      return request
    }
    let long = String(repeating: "x", count: 1024)
    for (line, isKept) in [
      ("", true), ("User-Agent: app/1\r\n", true), ("Connection: close\r\n", true),
      ("Authorization: Bearer x\r\n", false), ("Content-Length: 0\r\n", true), ("X: \(long)\r\n", false),
    ] {
      var parser = RequestParser()
      let text = "GET /a HTTP/1.1\r\nHost: a\r\n\(line)\r\n"
      guard let first = request(&parser, text), let second = request(&parser, text) else {
        Issue.record("\(line) must make a request")
        continue
      }
      #expect(second.repeats(first) == isKept, "\(line)")
      #expect(second.path == "/a" && second.keepsAlive == first.keepsAlive && first.mayBeKept == isKept)
      let other = request(&parser, "GET /b HTTP/1.1\r\nHost: a\r\n\(line)\r\n")
      #expect(other?.path == "/b" && other?.repeats(first) == false)
    }
  }

  @Test func `What nearly comes again is judged`() {
    let text = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
    for (next, outcomes) in [
      ("GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nb", ["get /a ", "get /a b"]),
      ("GET /a HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", ["get /a ", "400"]),
      ("GET /a HTTP/1.1\r\nHost: a\r\n\n", ["get /a ", "400"]),
      ("\r\n" + text + text, ["get /a ", "get /a ", "get /a "]),
      (text + "\n", ["get /a ", "get /a ", "400"]),
    ] {
      for size in [Int.max, 1, 2, 3, 31] {
        #expect(
          Conversation(text + next, inPiecesOf: size).outcomes.map(\.description) == outcomes, "\(next)")
      }
    }
  }

  @Test func `A client that waits for 100 is told to go on`() {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n"
    #expect(
      Conversation(head + "Content-Length: 1\r\n\r\na").outcomes.map(\.description) == ["100", "post / a"])
    #expect(
      Conversation(head + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n").outcomes.map(\.description)
        == ["100", "post / "])
    #expect(Conversation(head + "Content-Length: 65537\r\n\r\n").outcomes == [.failed(413)])
  }

  @Test func `The parser says what it waits for`() {
    var parser = RequestParser()
    #expect(parser.progress == .idle)
    _ = parser.feed(Array("POST / HTTP/1.1\r\n".utf8).span)
    #expect(parser.progress == .head)
    _ = parser.feed(Array("Host: a\r\nContent-Length: 2\r\n\r\n".utf8).span)
    #expect(parser.progress == .body)
    _ = parser.feed(Array("a".utf8).span)
    #expect(parser.progress == .body)
    _ = parser.feed(Array("a".utf8).span)
    #expect(parser.progress == .idle)
    _ = parser.feed(Array("\n".utf8).span)
    #expect(parser.progress == .failed)
    guard case .failed = parser.feed(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8).span).event else {
      Issue.record("a failed parser must stay failed")
      return
    }
  }
}
