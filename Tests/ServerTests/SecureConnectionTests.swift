import Cryptography
import Fixtures
import HTTP
import PKIX
import Reactor
import Server
import TLS
import Testing

/// HTTP over real TLS.
@Suite(.timeLimit(.minutes(2))) struct SecureConnectionTests {
  @Test func `a device is known by its certificate on every request`() async throws {
    try await TestServer.run(TestServer.mutual()) { server in
      let client = try await TestClient(port: server.port, tls: TestServer.client(showing: "laptop-7"))
      for _ in 0..<3 {
        try await client.send(get("/whoami"))
        #expect(try await client.answer()?.content == "CN=laptop-7")
      }
      #expect(server.metric(#"usher_tls_handshakes_total{listener="test",outcome="full"}"#) == 1)
    }
  }

  @Test func `requests and answers larger than a record pass whole`() async throws {
    try await TestServer.run(TestServer.mutual()) { server in
      let client = try await TestClient(port: server.port, tls: TestServer.client())
      let body = String(repeating: "0123456789", count: 6000)
      try await client.send(post("/echo", body) + get("/big") + get("/after"))
      #expect(try await client.answer()?.content == body)
      #expect(try await client.answer()?.content.utf8.count == 5_000_000)
      #expect(try await client.answer()?.content == "/after")
    }
  }

  @Test func `where no certificate is asked for there is no peer`() async throws {
    let context = try ServerContext<TestVerifier>(
      credential: TestServer.credential(), clientCertificates: .none)
    try await TestServer.run(.tls(context)) { server in
      let client = try await TestClient(port: server.port, tls: TestServer.client())
      try await client.send(get("/whoami"))
      #expect(try await client.answer()?.content == "nobody")
    }
  }

  @Test func `a host that is not the name of the connection is misdirected`() async throws {
    try await TestServer.run(TestServer.mutual()) { server in
      let client = try await TestClient(port: server.port, tls: TestServer.client())
      try await client.send("GET /1 HTTP/1.1\r\nHost: LOCALHOST:8443\r\n\r\n")
      #expect(try await client.answer()?.status == 200)
      try await client.send("GET /2 HTTP/1.1\r\nHost: localhost.example\r\n\r\n")
      #expect(try await client.answerToEnd().status == 421)
    }
  }

  @Test(arguments: [Alert.unknownAuthority, .badCertificate, .unsupportedCertificate])
  func `the alert of a refused certificate always arrives`(alert: Alert) async throws {
    let refusals = Lock(0)
    let verifier = TestVerifier(refusing: Refusal(alert, "as the test says"))
    try await TestServer.run(
      TestServer.mutual(verifier),
      configuration: TestServer.configuration { $0.onRefusal = { _ in refusals.withLock { $0 += 1 } } }
    ) { server in
      let context = try TestServer.client()
      for _ in 0..<100 {
        let client = try await TestClient(port: server.port, tls: context)
        // The client is done before the server has judged, and its request is on its way: a close would be a reset.
        let failure = await #expect(throws: TLSFailure.self) {
          try await client.send(get("/"))
          _ = try await client.receive()
        }
        guard case .alertReceived(let received) = failure else {
          Issue.record("\(String(describing: failure))")
          continue
        }
        #expect(received == alert)
      }
      // The alert is on its way before it is counted.
      try await server.eventually { refusals.withLock { $0 } == 100 }
      #expect(
        server.metric(#"usher_tls_refusals_total{listener="test",reason="as the test says"}"#) == 100)
    }
  }

  @Test func `without a certificate there is an alert, not a reset`() async throws {
    try await TestServer.run(TestServer.mutual()) { server in
      for _ in 0..<50 {
        let client = try await TestClient(port: server.port, tls: TestServer.client(showing: nil))
        let failure = await #expect(throws: TLSFailure.self) {
          try await client.send(get("/"))
          _ = try await client.receive()
        }
        guard case .alertReceived(.certificateRequired) = failure else {
          Issue.record("\(String(describing: failure))")
          continue
        }
      }
    }
  }

  @Test(arguments: ["--tlsv1.3", "--tls-max 1.2"])
  func `curl is served over both versions, and its session is resumed`(version: String) async throws {
    let folder = try TemporaryFolder()
    let authority = try TestServer.authority.get()
    let device = try authority.leaf("curl")
    try folder.write(authority.certificate.pem, to: "ca.pem")
    try folder.write(device.certificate.pem, to: "device.pem")
    try folder.write(String(decoding: device.key.secretPEM(), as: UTF8.self), to: "device.key")
    try await TestServer.run(TestServer.mutual()) { server in
      let url = "https://localhost:\(server.port)/whoami"
      var arguments = ["-sS", "--cacert", "\(folder.path)/ca.pem", "--cert", "\(folder.path)/device.pem"]
      arguments += ["--key", "\(folder.path)/device.key"] + version.split(separator: " ").map(String.init)
      let completed = try await ChildProcess.run(.init("curl", arguments + [url, url]), on: server.loops[0])
      #expect(String(decoding: completed.output, as: UTF8.self) == "CN=curlCN=curl")
    }
  }

  @Test func `plain HTTP on a TLS port ends, and so does garbage`() async throws {
    try await TestServer.run(TestServer.mutual()) { server in
      let client = try await TestClient(port: server.port)
      try await client.send(get("/"))
      _ = try await client.answerToEnd()
      #expect(server.metric(#"usher_tls_handshakes_total{listener="test",outcome="failed"}"#) == 1)
    }
  }
}
