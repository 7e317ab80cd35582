import Testing

@testable import LoadTest

@Suite struct AnswerScannerTests {
  private static let two = Array(
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
      + "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").utf8)

  @Test(arguments: [1, 2, 3, 7, 1000]) func `answers are found however they are cut`(size: Int) throws {
    var scanner = AnswerScanner()
    var answers: [String] = []
    for start in stride(from: 0, to: Self.two.count, by: size) {
      let piece = Array(Self.two[start..<min(start + size, Self.two.count)])
      scanner.add(piece.span)
      while let answer = try scanner.next() {
        answers.append(
          "\(answer.status) \(answer.keepsAlive) \(String(decoding: answer.body, as: UTF8.self))")
      }
    }
    #expect(answers == ["200 true hello", "204 false "])
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
    "HTTP/2 200\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 2x0 OK\r\nContent-Length: 0\r\n\r\n",
  ])
  func `what is no answer of the kind is told`(text: String) {
    var scanner = AnswerScanner()
    let bytes = Array(text.utf8)
    scanner.add(bytes.span)
    #expect(throws: AnswerScanner.Failure.self) { try scanner.next() }
  }
}
