import Reactor
import Server
import TLS
import Testing

/// Slow clients, with time-outs short enough for a test.
@Suite(.timeLimit(.minutes(1))) struct ConnectionTimeoutTests {
  /// Makes one time-out short and leaves the others long.
  private static func short(
    _ timeout: WritableKeyPath<Timeouts, Duration>, _ limit: Duration = .milliseconds(200)
  ) -> ListenerConfiguration {
    TestServer.configuration { $0.timeouts[keyPath: timeout] = limit }
  }

  /// Sends a byte whenever 20 ms have brought no news.
  private func trickle(_ text: String, to client: TestClient) async throws {
    for byte in text.utf8 {
      if try await client.hasNews(within: .milliseconds(20)) { return }
      try await client.send([byte])
    }
  }

  @Test func `a head that comes byte by byte is cut by 408, and delays nobody`() async throws {
    try await TestServer.run(loops: 1, configuration: Self.short(\.header)) { server in
      let (slow, quick) = (try await TestClient(port: server.port), try await TestClient(port: server.port))
      let start = MonotonicInstant.now
      try await slow.send("GET /slow HTTP/1.1\r\nX: ")
      try await quick.send(get("/quick"))
      #expect(try await quick.answer()?.content == "/quick")
      try await trickle(String(repeating: "a", count: 1000), to: slow)
      #expect(try await slow.answerToEnd().status == 408)
      let taken = start.duration(to: .now)
      #expect(taken >= .milliseconds(200) && taken < .seconds(10))
      #expect(server.metric(#"usher_connection_timeouts_total{listener="test",waiting_for="header"}"#) == 1)
    }
  }

  @Test func `a body that comes byte by byte is cut by 408`() async throws {
    try await TestServer.run(configuration: Self.short(\.body)) { server in
      let client = try await TestClient(port: server.port)
      try await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
      try await trickle(String(repeating: "a", count: 1000), to: client)
      #expect(try await client.answerToEnd().status == 408)
    }
  }

  @Test func `an idle connection ends without a word`() async throws {
    try await TestServer.run(configuration: Self.short(\.idle)) { server in
      let client = try await TestClient(port: server.port)
      try await client.send(get("/"))
      _ = try await client.answer()
      #expect(try await client.answer() == nil)
    }
  }

  @Test func `an answer that nobody reads is cut`() async throws {
    try await TestServer.run(configuration: Self.short(\.write)) { server in
      let client = try await TestClient(port: server.port)
      try await client.send(get("/big"))
      try await server.eventually {
        server.metric(#"usher_connection_timeouts_total{listener="test",waiting_for="write"}"#) == 1
      }
      await #expect(throws: (any Error).self) { try await client.answer() }
    }
  }

  @Test func `a handshake that does not come to its end is cut`() async throws {
    try await TestServer.run(TestServer.mutual(), configuration: Self.short(\.handshake)) { server in
      let silent = try await TestClient(port: server.port)
      #expect(try await silent.answer() == nil)
      let slow = try await TestClient(port: server.port)
      try await slow.send([22, 3, 1])
      #expect(try await slow.answer() == nil)
      #expect(
        server.metric(#"usher_connection_timeouts_total{listener="test",waiting_for="handshake"}"#) == 2)
    }
  }

  @Test func `a request that the application takes long for is no slow client`() async throws {
    // Long enough that a machine at work does not keep the request from coming in time.
    try await TestServer.run(configuration: Self.short(\.idle, .seconds(2))) { server in
      let (client, idle) = (try await TestClient(port: server.port), try await TestClient(port: server.port))
      try await client.send(get("/wait"))
      try await server.gate.hold()
      #expect(try await idle.answer() == nil)
      server.gate.open()
      #expect(try await client.answer()?.content == "waited")
    }
  }
}
