import HTTP
import Testing

struct RequestTests {
  @Test func `Header fields are found by name in any case`() throws {
    let request = try Request(
      "GET", "/",
      headers: [
        HeaderField("x-one", "1"), HeaderField(.ifMatch, " \"a\" "), HeaderField("X-List", "b"),
        HeaderField("x-empty", ""), HeaderField("x-list", "c"),
      ])
    #expect(request.header("X-One") == "1")
    #expect(request.header(.ifMatch) == "\"a\"")
    #expect(request.header("x-list") == "b, c")
    #expect(request.header("x-empty")?.isEmpty == true)
    #expect(request.header(.host) == "localhost")
    #expect(request.header("x-on") == nil)
    #expect(request.header("one") == nil)
  }

  static let bearers: [(String, String?)] = [
    ("Bearer abc", "abc"), ("bearer  abc ", "abc"), ("BEARER a.b-c_d~e+f/g=", "a.b-c_d~e+f/g="),
    ("Bearer", nil), ("Bearer ", nil), ("Basic abc", nil), ("Bearer a b", nil), ("Bearerabc", nil), ("", nil),
    ("Bearer a, Bearer b", nil),
  ]

  @Test(arguments: bearers) func `A bearer token is read`(_ value: String, _ token: String?) throws {
    let request = try Request("GET", "/", headers: [HeaderField(.authorization, value)])
    #expect(request.bearerToken == token)
  }

  @Test func `Two bearer tokens are none`() throws {
    let field = HeaderField(.authorization, "Bearer abc")
    #expect(try Request("GET", "/", headers: [field, field]).bearerToken == nil)
    #expect(try Request("GET", "/").bearerToken == nil)
  }

  static let mediaTypes: [(String, String)] = [
    ("application/json", "application/json"), ("Application/JSON; charset=utf-8", "application/json"),
    ("text/plain;x=y", "text/plain"), ("text/plain ;x", "text/plain"), ("", ""),
  ]

  @Test(arguments: mediaTypes) func `A media type is read`(_ value: String, _ mediaType: String) throws {
    let request = try Request("POST", "/", headers: [HeaderField(.contentType, value)])
    #expect(request.mediaType == mediaType)
  }

  static let accepts: [(String, Bool)] = [
    ("application/json", true), ("text/html, application/JSON;q=0.9", true), ("*/*", false),
    ("application/*", false),
    ("application/json;q=0", false), ("application/json; q=0.0", false), ("application/jsonx", false),
    ("", false),
  ]

  @Test(arguments: accepts) func `A media type is asked for by its name`(_ value: String, _ expected: Bool)
    throws
  {
    let request = try Request("GET", "/", headers: [HeaderField(.accept, value)])
    #expect(request.accepts("application/json") == expected)
  }

  static let queries: [(String, [String])] = [
    ("", []), ("?", []), ("?&&", []), ("?a", ["a="]), ("?a=", ["a="]), ("?=b", ["=b"]), ("?a=b=c", ["a=b=c"]),
    ("?a=1&b=2&a=3", ["a=1", "b=2", "a=3"]), ("?a+b=c+d", ["a b=c d"]), ("?a=%2B%26%3d", ["a=+&="]),
    ("?a=caf%C3%A9", ["a=caf\u{e9}"]), ("?a=/?:@", ["a=/?:@"]),
  ]

  @Test(arguments: queries) func `A query is decoded as forms are`(_ query: String, _ expected: [String])
    throws
  {
    #expect(try Request("GET", "/\(query)").query.map { "\($0.name)=\($0.value)" } == expected)
  }

  static let hosts: [(String, String)] = [
    ("localhost", "localhost"), ("LocalHost:8443", "localhost"), ("127.0.0.1:1", "127.0.0.1"),
    ("[::1]", "[::1]"),
    ("[::1]:8443", "[::1]"),
  ]

  @Test(arguments: hosts) func `The host is read without its port`(_ value: String, _ host: String) throws {
    #expect(try Request("GET", "/", headers: [HeaderField(.host, value)]).host == host)
    #expect(try Request("GET", "http://\(value)/", headers: [HeaderField(.host, value)]).host == host)
  }

  @Test func `A request made by hand is what comes over the wire`() throws {
    let request = try Request(
      "POST", "/v1/enroll", headers: [HeaderField(.contentType, "application/pkcs10")],
      body: Array("abc".utf8))
    var bytes: [UInt8] = []
    request.write(to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "POST /v1/enroll HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Type: application/pkcs10\r\n\r\nabc"
    )
    #expect(Conversation(bytes).outcomes.map(\.description) == ["post /v1/enroll abc"])
  }

  @Test(arguments: ["a\r\nb: c", "a\r\n\r\n", "a\nb", "a\u{0}"])
  func `A request made by hand takes no second field`(_ value: String) {
    #expect(throws: RequestFailure.self) { try Request("GET", "/", headers: [HeaderField("a", value)]) }
    #expect(throws: RequestFailure.self) { try Request("GET", "/ HTTP/1.1\r\n\(value): x") }
    #expect(throws: RequestFailure.self) { try Request("GET / HTTP/1.1\r\na: b\r\n\r\nGET", "/") }
  }

  @Test func `A failure has a status and a problem`() {
    let failure = #expect(throws: RequestFailure.self) { try Request("GET", "nowhere") }
    #expect(failure?.status == 400)
    #expect(failure?.problem.code == "malformed-request")
    #expect(failure?.problem.detail == "The target must begin with / or be an http URL.")
  }
}
