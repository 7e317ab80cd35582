import Reactor
import Server
import TLS
import Testing

/// Handshakes whose verifier waits for more than memory.
@Suite(.timeLimit(.minutes(2))) struct WaitingHandshakeTests {
  @Test func `a handshake that waits holds up nobody`() async throws {
    let gate = Gate()
    defer { gate.open() }
    try await TestServer.run(TestServer.mutual(TestVerifier(waitingAt: gate)), loops: 1) { server in
      // TLS 1.3: a client is done before the server has judged it.
      let waiting = try await TestClient(port: server.port, tls: TestServer.client(showing: "late"))
      try await waiting.send(get("/whoami"))
      try await gate.hold()
      // Others come as far, and the loop has time for them.
      let other = try await TestClient(port: server.port, tls: TestServer.client(showing: "other"))
      try await gate.hold(2)
      gate.open()
      #expect(try await waiting.answer()?.content == "CN=late")
      try await other.send(get("/whoami"))
      #expect(try await other.answer()?.content == "CN=other")
    }
  }

  @Test func `many more than there are threads are judged in their turn`() async throws {
    let gate = Gate()
    gate.open()
    try await TestServer.run(TestServer.mutual(TestVerifier(waitingAt: gate))) { server in
      let context = try TestServer.client()
      try await withThrowingTaskGroup { tasks in
        for _ in 0..<100 {
          tasks.addTask {
            let client = try await TestClient(port: server.port, tls: context)
            try await client.send(get("/whoami"))
            #expect(try await client.answer()?.content == "CN=device")
          }
        }
        try await tasks.waitForAll()
      }
    }
  }

  @Test func `an alert comes after a wait as well`() async throws {
    let gate = Gate()
    gate.open()
    let verifier = TestVerifier(refusing: Refusal(.certificateRevoked, "revoked"), waitingAt: gate)
    try await TestServer.run(TestServer.mutual(verifier)) { server in
      for _ in 0..<20 {
        let client = try await TestClient(port: server.port, tls: TestServer.client())
        let failure = await #expect(throws: TLSFailure.self) {
          try await client.send(get("/"))
          _ = try await client.receive()
        }
        guard case .alertReceived(.certificateRevoked) = failure else {
          Issue.record("\(String(describing: failure))")
          continue
        }
      }
    }
  }

  @Test func `whoever goes, or is too slow, while the handshake waits is let go when it is back`()
    async throws
  {
    let gate = Gate()
    defer { gate.open() }
    let configuration = TestServer.configuration { $0.timeouts.handshake = .milliseconds(300) }
    try await TestServer.run(
      TestServer.mutual(TestVerifier(waitingAt: gate)), configuration: configuration
    ) { server in
      var gone: TestClient? = try await TestClient(port: server.port, tls: TestServer.client())
      let slow = try await TestClient(port: server.port, tls: TestServer.client())
      try await gate.hold(2)
      withExtendedLifetime(gone) {}
      gone = nil
      try await server.eventually {
        server.metric(#"usher_connection_timeouts_total{listener="test",waiting_for="handshake"}"#) == 2
      }
      #expect(server.listener.connectionCount == 2)
      gate.open()
      try await server.eventually { server.listener.connectionCount == 0 }
      _ = try? await slow.answerToEnd()
    }
  }

  @Test func `the server ends after the handshakes that wait`() async throws {
    let gate = Gate()
    try await TestServer.run(TestServer.mutual(TestVerifier(waitingAt: gate))) { server in
      let client = try await TestClient(port: server.port, tls: TestServer.client())
      try await gate.hold()
      async let stopped: Void = server.stop()
      while (try? await TestClient(port: server.port)) != nil {}
      gate.open()
      await stopped
      #expect(server.listener.connectionCount == 0)
      _ = try? await client.answerToEnd()
    }
  }
}
