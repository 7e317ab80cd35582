import Cryptography
import Fixtures
import HTTP
import PKIX
import Reactor
import Server
import TLS
import Telemetry

/// A listener on loops of its own, as long as a test runs.
struct TestServer: Sendable {
  let listener: Listener<TestApp>
  let metrics: Metrics
  let gate: Gate
  let loops: [EventLoop]
  /// Begins the drain, and waits for its end.
  let stop: @Sendable () async -> Void

  var port: UInt16 { listener.port }

  static let authority = Result { try TestAuthority.root() }

  static func credential() throws -> Credential {
    let identity = try authority.get().server()
    return try Credential(chain: [identity.certificate], privateKey: identity.key)
  }

  /// TLS that asks for a certificate.
  static func mutual(_ verifier: TestVerifier = TestVerifier()) throws -> Transport<TestPeer> {
    .tls(try ServerContext(credential: credential(), clientCertificates: .required(verifier)))
  }

  /// A client that shows a certificate of the test authority, or none.
  static func client(showing name: String? = "device") throws -> ClientContext {
    let authority = try authority.get()
    let identity = try name.map { try authority.leaf($0) }
    return try ClientContext(
      authorities: [authority.certificate],
      credential: identity.map { try Credential(chain: [$0.certificate], privateKey: $0.key) })
  }

  static func configuration(_ change: (inout ListenerConfiguration) -> Void) -> ListenerConfiguration {
    var configuration = ListenerConfiguration(name: "test")
    change(&configuration)
    return configuration
  }

  static func run<R: Sendable>(
    _ transport: Transport<TestPeer> = .plain, loops count: Int = 2, port: UInt16 = 0,
    configuration: ListenerConfiguration = ListenerConfiguration(name: "test"),
    _ body: (TestServer) async throws -> R
  ) async throws -> R {
    let (metrics, gate) = (Metrics(), Gate())
    let group = try EventLoopGroup(count: count, name: "server")
    defer { group.shutdown() }
    let listener = try Listener(
      host: "127.0.0.1", port: port, transport: transport, app: TestApp(gate: gate),
      configuration: configuration,
      metrics: ServerMetrics(metrics), loops: group.loops)
    let service = Task { try await listener.run() }
    let server = TestServer(listener: listener, metrics: metrics, gate: gate, loops: group.loops) {
      service.cancel()
      _ = await service.result
    }
    do {
      let result = try await body(server)
      await server.stop()
      return result
    } catch {
      gate.open()
      await server.stop()
      throw error
    }
  }

  /// Looks again and again until it is so.
  func eventually(_ condition: () -> Bool) async throws {
    while !condition() { try await loops[0].sleep(for: .milliseconds(1)) }
  }

  /// A counter or gauge as `/metrics` shows it.
  func metric(_ name: String) -> Int? {
    let text = String(decoding: PrometheusText(metrics).render(), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    return line.flatMap { Int($0.dropFirst(name.utf8.count + 1)) }
  }
}
