import Reactor
import Server
import Testing

/// How connections end when the server, or trust in a peer, does.
@Suite(.timeLimit(.minutes(1))) struct ConnectionEndTests {
  @Test func `a drain answers what is in flight, ends what is idle, and lets nobody in`() async throws {
    try await TestServer.run { server in
      let (busy, idle) = (try await TestClient(port: server.port), try await TestClient(port: server.port))
      try await idle.send(get("/"))
      _ = try await idle.answer()
      try await busy.send(get("/wait") + get("/never"))
      try await server.gate.hold()
      async let stopped: Void = server.stop()
      #expect(try await idle.answer() == nil)
      await #expect(throws: (any Error).self) { _ = try await TestClient(port: server.port) }
      server.gate.open()
      let answer = try await busy.answerToEnd()
      #expect(answer.contains("Connection: close"))
      #expect(answer.content == "waited")
      await stopped
      #expect(server.listener.connectionCount == 0)
    }
  }

  @Test func `a drain does not wait for ever`() async throws {
    try await TestServer.run(configuration: TestServer.configuration { $0.drain = .milliseconds(50) }) {
      server in
      let busy = try await TestClient(port: server.port)
      try await busy.send(get("/wait"))
      try await server.gate.hold()
      await server.stop()
      #expect(try await busy.answer() == nil)
      #expect(server.gate.cancelled == 1)
    }
  }

  @Test func `a drain over TLS ends idle connections in order`() async throws {
    try await TestServer.run(TestServer.mutual()) { server in
      var clients: [TestClient] = []
      for _ in 0..<20 {
        let client = try await TestClient(port: server.port, tls: TestServer.client())
        clients.append(client)
        try await client.send(get("/"))
        _ = try await client.answer()
      }
      async let stopped: Void = server.stop()
      for client in clients { #expect(try await client.answer() == nil) }
      await stopped
    }
  }

  @Test func `an idle connection of a peer that is withdrawn ends, the others stay`() async throws {
    let verifier = TestVerifier()
    try await TestServer.run(TestServer.mutual(verifier)) { server in
      var clients: [TestClient] = []
      for name in ["first", "second", "third"] {
        let client = try await TestClient(port: server.port, tls: TestServer.client(showing: name))
        clients.append(client)
        try await client.send(get("/"))
        _ = try await client.answer()
      }
      verifier.peers.first { $0.name == "CN=second" }?.withdraw()
      let start = MonotonicInstant.now
      server.listener.judgeIdle { $0.stands ? .stays : .isOver }
      #expect(try await clients[1].answer() == nil)
      #expect(start.duration(to: .now) < .seconds(1))
      for client in [clients[0], clients[2]] {
        try await client.send(get("/still"))
        #expect(try await client.answer()?.content == "/still")
      }
    }
  }

  @Test func `a busy connection of a peer that is withdrawn is told at its next request`() async throws {
    let verifier = TestVerifier()
    try await TestServer.run(TestServer.mutual(verifier)) { server in
      let client = try await TestClient(port: server.port, tls: TestServer.client())
      try await client.send(get("/wait") + get("/next"))
      try await server.gate.hold()
      verifier.peers.first?.withdraw()
      server.listener.judgeIdle { $0.stands ? .stays : .isOver }
      server.gate.open()
      #expect(try await client.answer()?.content == "waited")
      #expect(try await client.answerToEnd().status == 410)
    }
  }

  @Test func `of those who had no right when they came only who has asked ends`() async throws {
    let verifier = TestVerifier()
    try await TestServer.run(TestServer.mutual(verifier), loops: 1) { server in
      let silent = try await TestClient(port: server.port, tls: TestServer.client(showing: "silent"))
      let told = try await TestClient(port: server.port, tls: TestServer.client(showing: "told"))
      try await told.send(get("/"))
      _ = try await told.answer()
      server.listener.judgeIdle { _ in .wasOver }
      #expect(try await told.answer() == nil)
      try await silent.send(get("/late"))
      #expect(try await silent.answer()?.content == "/late")
    }
  }

  @Test func `a taken port is known before anything is served`() async throws {
    try await TestServer.run { server in
      let error = await #expect(throws: SystemError.self) {
        try await TestServer.run(port: server.port) { _ in }
      }
      #expect(error?.isAddressInUse == true)
    }
  }
}
