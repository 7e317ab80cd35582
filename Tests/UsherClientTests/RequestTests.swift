import Testing

@testable import UsherClient

@Suite struct RequestTests {
  @Test(arguments: [
    ("https://localhost:8443", "localhost", 8443, "localhost:8443"),
    ("HTTPS://License.Example/", "License.Example", 443, "License.Example"),
    ("https://[::1]:8443", "::1", 8443, "[::1]:8443"), ("https://127.0.0.1", "127.0.0.1", 443, "127.0.0.1"),
    ("https://a:443", "a", 443, "a"),
  ]) func `a server's URL has a host and a port`(text: String, host: String, port: UInt16, authority: String)
    throws
  {
    let url = try #require(ServerURL(text))
    #expect(url.host == host && url.port == port && url.authority == authority)
  }

  @Test(arguments: [
    "", "localhost:8443", "http://localhost", "https://", "https://:8443", "https://a:0", "https://a:65536",
    "https://a:+1", "https://a:", "https://a/path", "https://user@a", "https://a b", "https://[::1",
    "https://a?x",
    "https://caf\u{e9}", "https://a\r\nX:1", "https://[::1]x",
  ]) func `anything else is no server`(text: String) { #expect(ServerURL(text) == nil) }

  @Test func `a product's code stays one segment of the path`() {
    #expect(OutgoingRequest.segment("studio-2.x_~") == "studio-2.x_~")
    #expect(OutgoingRequest.segment("a/../b ?\u{e9}\r\n") == "a%2F..%2Fb%20%3F%C3%A9%0D%0A")
  }

  @Test func `a request is written with its length`() throws {
    let server = try #require(ServerURL("https://a:8443"))
    let get = OutgoingRequest(method: .get, path: "/x").bytes(to: server)
    #expect(
      String(decoding: get, as: UTF8.self)
        == "GET /x HTTP/1.1\r\nHost: a:8443\r\nAccept: application/json\r\n\r\n")
    let put = OutgoingRequest(method: .put, path: "/x", fields: [("If-Match", "\"1\"")], body: [0x41]).bytes(
      to: server)
    #expect(
      String(decoding: put, as: UTF8.self)
        == "PUT /x HTTP/1.1\r\nHost: a:8443\r\nAccept: application/json\r\nIf-Match: \"1\"\r\nContent-Length: 1\r\n\r\nA"
    )
  }
}
