import HTTP
import Testing

struct ResponseTests {
  static let date = HTTPDate(secondsSince1970: 784_111_777)

  private func wire(_ response: Response, to request: Request?, closes: Bool = false) -> (String, stays: Bool)
  {
    var bytes: [UInt8] = []
    let stays = response.write(to: &bytes, answering: request, at: ResponseTests.date, closes: closes)
    return (String(decoding: bytes, as: UTF8.self), stays)
  }

  private func request(_ text: String) throws -> Request {
    var parser = RequestParser()
    guard case .request(let request) = parser.feed(Array(text.utf8).span).event else {
      throw RequestFailureInTest()
    }
    return request
  }

  struct RequestFailureInTest: Error {}

  @Test func `An answer has status, date, fields, length and body`() throws {
    let response = Response(201, headers: [HeaderField(.location, "/v1/x")], body: Array("{}".utf8))
    let (text, stays) = wire(response, to: try Request("POST", "/"))
    #expect(
      text
        == "HTTP/1.1 201 Created\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nLocation: /v1/x\r\nContent-Length: 2\r\n\r\n{}"
    )
    #expect(stays)
  }

  @Test func `a prepared field stands before those it was put before`() throws {
    let (etag, type) = (HeaderField(.etag, "\"7\""), HeaderField(.contentType, "a/b"))
    let (control, none) = (HeaderField(.cacheControl, "no-store"), PreparedHeaders.none)
    for (fields, prepared, isControlled) in [
      ([etag, type, control], PreparedHeaders(etag, before: PreparedHeaders(type, control)), true),
      ([control, type], PreparedHeaders(control, before: PreparedHeaders(type)), true),
      ([etag, type], PreparedHeaders(etag, before: PreparedHeaders(type)), false),
      ([etag], PreparedHeaders(etag, before: none), false),
    ] {
      let response = Response(200, prepared: prepared)
      #expect(prepared.fields == fields && response.isCacheControlled == isControlled)
      let written = wire(response, to: try Request("GET", "/")).0
      #expect(written == wire(Response(200, headers: fields), to: try Request("GET", "/")).0)
    }
  }

  @Test func `HEAD is answered like GET but without the body`() throws {
    let (text, stays) = wire(Response(200, body: Array("hello".utf8)), to: try Request("HEAD", "/"))
    #expect(text.hasSuffix("Content-Length: 5\r\n\r\n") && stays)
  }

  @Test(arguments: [204, 304]) func `Some statuses have no body`(_ status: Int) throws {
    let (text, _) = wire(Response(status, body: Array("hello".utf8)), to: try Request("GET", "/"))
    #expect(text.hasSuffix(" GMT\r\n\r\n") && !text.contains("Content-Length"))
  }

  @Test func `The connection stays only when all agree`() throws {
    let one = try Request("GET", "/")
    let last = try Request("GET", "/", headers: [HeaderField(.connection, "close")])
    let old = try request("GET / HTTP/1.0\r\n\r\n")
    let oldAsking = try request("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    let close = "Connection: close\r\n"
    func check(_ answer: (String, stays: Bool), stays: Bool, _ field: String?) {
      #expect(answer.stays == stays)
      #expect(answer.0.contains("\r\nConnection:") == (field != nil))
      #expect(field.map { answer.0.contains("\r\n\($0)\r\n") } ?? true)
    }
    check(wire(Response(200), to: one), stays: true, nil)
    check(wire(Response(200), to: one, closes: true), stays: false, "Connection: close")
    check(wire(Response(200, closes: true), to: one), stays: false, "Connection: close")
    check(wire(Response(200), to: last), stays: false, "Connection: close")
    check(wire(Response(200), to: old), stays: false, "Connection: close")
    check(wire(Response(200), to: oldAsking), stays: true, "Connection: keep-alive")
    check(wire(Response(400), to: nil), stays: false, "Connection: close")
    #expect(wire(Response(400), to: nil).0.contains(close))
  }

  @Test(arguments: ["a\r\nset-cookie: b", "a\nb", "a\rb", "a\u{0}b", "\u{7f}\u{1b}a"])
  func `A value cannot begin another field`(_ value: String) throws {
    let (text, _) = wire(Response(200, headers: [HeaderField("x", value)]), to: try Request("GET", "/"))
    let head = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(head.count == 6)
    #expect(head[2].hasPrefix("x: ") && !head[2].utf8.contains { $0 < 0x20 || $0 == 0x7f })
  }

  @Test(arguments: [
    (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
    (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
  ])
  func `A date is shown as HTTP wants it`(_ seconds: Int64, _ text: String) {
    #expect(HTTPDate(secondsSince1970: seconds).description == text)
  }

  @Test func `What is no request is answered in plain words`() {
    final class NobodyAtAll: Sendable {}
    struct Nobody: Responder {
      func respond(to request: Request, from peer: NobodyAtAll?) async -> Response { Response(200) }
    }
    var parser = RequestParser()
    guard case .failed(let failure) = parser.feed(Array("GET / HTTP/2.0\r\n".utf8).span).event else {
      Issue.record("HTTP/2.0 must fail")
      return
    }
    let response = Nobody().response(to: failure)
    #expect(response.status == 505 && response.closes && !response.body.isEmpty)
  }
}
