import Testing

@testable import UsherClient

@Suite struct AnswerParserTests {
  private func parse(_ text: String, ended: Bool = false) throws -> Answer? {
    var parser = AnswerParser()
    parser.add(text.utf8)
    return try parser.next(ended: ended)
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"7\"\r\n\r\nhello",
    "HTTP/1.1 200 \r\ncontent-length:5\r\nX: \r\netag: \t\"7\" \r\n\r\nhello",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"7\"\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"7\"\r\n\r\n2\r\nhe\r\n03;x=y\r\nllo\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nETag: \"7\"\r\n\r\n5\r\nhello\r\n0\r\nTrailer: 1\r\n\r\n",
  ]) func `an answer is read, and the next one after it, however the bytes come`(text: String) throws {
    var parser = AnswerParser()
    var answers: [Answer] = []
    for byte in (text + "HTTP/1.1 204 No Content\r\n\r\n").utf8 {
      parser.add([byte])
      if let answer = try parser.next() { answers.append(answer) }
    }
    #expect(answers.map(\.status) == [200, 204])
    #expect(answers[0].body == Array("hello".utf8) && answers[0].field("etag") == "\"7\"")
    #expect(answers.allSatisfy(\.keepsAlive) && !parser.hasBegun)
  }

  @Test func `without a length the body lasts until the end`() throws {
    let text = "HTTP/1.1 200 OK\r\n\r\nhello"
    #expect(try parse(text) == nil)
    let answer = try #require(try parse(text, ended: true))
    #expect(answer.body == Array("hello".utf8) && !answer.keepsAlive)
  }

  @Test(arguments: [
    "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", "HTTP/1.1 204 x\r\nconnection: x, Close\r\n\r\n",
    "HTTP/1.0 204 No Content\r\n\r\n",
  ]) func `an answer says when it is the last`(text: String) throws {
    #expect(try parse(text)?.keepsAlive == false)
  }

  @Test(arguments: [
    "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 600 OK\r\n\r\n",
    "HTTP/1.1\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n", "\r\n\r\n", "ICY 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nName : x\r\n\r\n", "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
    "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX: a\r\n folded\r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\nY: b\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX: a\0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n", "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 33_000),
  ]) func `what is ambiguous or malformed is refused`(text: String) {
    #expect(throws: AnswerFailure.self) { try parse(text) }
  }

  @Test(arguments: [
    "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", "HTTP/1.1 100 Continue\r\n\r\n",
  ])
  func `an answer that ends too early is refused`(text: String) {
    #expect(throws: AnswerFailure.self) { try parse(text, ended: true) }
  }
}
