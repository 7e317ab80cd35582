import HTTP
import Reactor
import Server
import Testing

/// HTTP/1.1 on real sockets, without TLS.
@Suite(.timeLimit(.minutes(1))) struct PlainConnectionTests {
  @Test func `a connection is kept for the next request`() async throws {
    try await TestServer.run { server in
      let client = try await TestClient(port: server.port)
      for path in ["/one", "/two", "/three"] {
        try await client.send(get(path))
        let answer = try #require(try await client.answer())
        #expect(answer.status == 200)
        #expect(answer.content == path)
        #expect(!answer.contains("Connection: close"))
      }
      #expect(server.listener.connectionCount == 1)
      #expect(server.metric(#"usher_http_requests_total{listener="test",status="2xx"}"#) == 3)
    }
  }

  @Test func `whoever asks for it gets its answer and the end`() async throws {
    try await TestServer.run { server in
      let client = try await TestClient(port: server.port)
      try await client.send(get("/last", "Connection: close"))
      let answer = try await client.answerToEnd()
      #expect(answer.content == "/last")
      #expect(answer.contains("Connection: close"))
    }
  }

  @Test func `a client that finishes sending is still answered`() async throws {
    try await TestServer.run { server in
      let client = try await TestClient(port: server.port)
      try await client.send(get("/wait"))
      client.finishSending()
      try await server.gate.hold()
      server.gate.open()
      #expect(try await client.answerToEnd().content == "waited")
    }
  }

  @Test func `pipelined requests are answered in order, also behind one that waits`() async throws {
    try await TestServer.run { server in
      let client = try await TestClient(port: server.port)
      let paths = (0..<500).map { "/\($0)" }
      try await client.send(get("/wait") + paths.map { get($0) }.joined())
      try await server.gate.hold()
      #expect(try await !client.hasNews(within: .milliseconds(1)))
      server.gate.open()
      #expect(try await client.answer()?.content == "waited")
      for path in paths { #expect(try await client.answer()?.content == path) }
    }
  }

  @Test func `what is answered at once keeps its place among what is not`() async throws {
    try await TestServer.run { server in
      let client = try await TestClient(port: server.port)
      let mixed = (0..<200).map { $0 % 3 == 0 ? "/\($0)" : "/at-once" }
      try await client.send(get("/wait") + mixed.map { get($0) }.joined())
      try await server.gate.hold()
      server.gate.open()
      #expect(try await client.answer()?.content == "waited")
      for path in mixed {
        #expect(try await client.answer()?.content == (path == "/at-once" ? "at once" : path))
      }
    }
  }

  @Test func `a body may come in pieces and chunks`() async throws {
    try await TestServer.run { server in
      let client = try await TestClient(port: server.port)
      for byte in post("/echo", "slowly").utf8 { try await client.send([byte]) }
      #expect(try await client.answer()?.content == "slowly")
      try await client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
      )
      #expect(try await client.answer()?.content == "abcde")
    }
  }

  @Test func `a client that waits to be told to go on is told`() async throws {
    try await TestServer.run { server in
      let client = try await TestClient(port: server.port)
      let request = post("/echo", "body", "Expect: 100-continue")
      try await client.send(String(request.dropLast(4)))
      #expect(try await client.answer() == "HTTP/1.1 100 Continue\r\n\r\n")
      try await client.send("body")
      #expect(try await client.answer()?.content == "body")
    }
  }

  @Test func `HEAD is answered without a body, and the connection stays in step`() async throws {
    try await TestServer.run { server in
      let client = try await TestClient(port: server.port)
      try await client.send("HEAD /four HTTP/1.1\r\nHost: a\r\n\r\n" + get("/next"))
      #expect(try await client.answer(hasBody: false)?.contains("Content-Length: 5") == true)
      #expect(try await client.answer()?.content == "/next")
    }
  }

  /// What is wrong with a request, by the status that says so.
  private static let faults: [Int: String] = [
    400: "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    413: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n",
    414: "GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: a\r\n\r\n",
    417: "POST / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 1\r\n\r\n",
    431: "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 17000))\r\n\r\n",
    501: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
    505: "GET / HTTP/3.0\r\nHost: a\r\n\r\n",
  ]

  @Test(arguments: faults.keys.sorted())
  func `what is no request gets one answer that says so, and the end`(status: Int) async throws {
    let text = try #require(Self.faults[status])
    try await TestServer.run { server in
      let client = try await TestClient(port: server.port)
      try await client.send(text + get("/never"))
      let answer = try await client.answerToEnd()
      #expect(answer.status == status)
      #expect(answer.contains("Connection: close"))
      #expect(!answer.content.contains("HTTP/1.1 2"))
    }
  }

  @Test func `the answer to a body that is too large arrives though the body keeps coming`() async throws {
    try await TestServer.run { server in
      let client = try await TestClient(port: server.port)
      try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n")
      try await client.send([UInt8](repeating: 0, count: 500_000))
      #expect(try await client.answerToEnd().status == 413)
    }
  }

  @Test func `a large answer waits for a client that reads slowly, and is whole`() async throws {
    try await TestServer.run { server in
      let client = try await TestClient(port: server.port)
      try await client.send(get("/big") + get("/after"))
      #expect(try await client.answer()?.content.utf8.count == 5_000_000)
      #expect(try await client.answer()?.content == "/after")
    }
  }

  @Test func `a client that goes away cancels what it asked for`() async throws {
    try await TestServer.run { server in
      var client: TestClient? = try await TestClient(port: server.port)
      try await client?.send(get("/wait") + get("/unread"))
      try await server.gate.hold()
      client = nil
      try await server.eventually { server.gate.cancelled == 1 }
    }
  }

  @Test func `more connections than are permitted are turned away`() async throws {
    try await TestServer.run(loops: 1, configuration: TestServer.configuration { $0.maximumConnections = 2 })
    { server in
      let kept = [try await TestClient(port: server.port), try await TestClient(port: server.port)]
      for client in kept {
        try await client.send(get("/"))
        _ = try await client.answer()
      }
      #expect(try await TestClient(port: server.port).answer() == nil)
      #expect(server.metric(#"usher_connections_turned_away_total{listener="test"}"#) == 1)
      #expect(server.listener.connectionCount == 2)
    }
  }
}
