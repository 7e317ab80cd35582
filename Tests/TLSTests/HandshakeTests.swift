import Cryptography
import PKIX
import Testing

@testable import TLS

/// The versions, as OpenSSL numbers them.
enum Version: Int32, CaseIterable {
  case tls12 = 0x0303
  case tls13 = 0x0304
}

@Suite struct HandshakeTests {
  let certificates: TestCertificates

  init() throws { certificates = try TestCertificates.shared.get() }

  private func server(_ verifier: ScriptedVerifier) throws -> ServerContext<ScriptedVerifier> {
    try ServerContext(credential: certificates.credential("server"), clientCertificates: .required(verifier))
  }

  private func client(_ version: Version, shows: Bool = true, trusts: String = "authority") throws
    -> ClientContext
  {
    try ClientContext(
      authorities: [certificates.certificate(trusts)],
      credential: shows ? certificates.credential("client") : nil,
      highest: version.rawValue)
  }

  @Test(arguments: Version.allCases) func `a client that the verifier accepts is the connection's peer`(
    version: Version
  ) throws {
    let wire = Wire()
    let verifier = ScriptedVerifier()
    let server = try server(verifier).makeStream(descriptor: wire.near)
    let client = try client(version).makeStream(descriptor: wire.far, host: "LOCALHOST")
    #expect(server.peer == nil)
    let ends = shakeHands(server, client)
    guard case (.established, .established) = ends else { throw Unexpected(ends) }
    let peer = try #require(server.peer)
    #expect(peer.number == 1 && peer.certificates == 1)
    #expect(peer.subject == "CN=client\\E2\\80\\9D,O=Acme\\, Inc.")
    #expect(server.serverName == "localhost")
    #expect(!server.isResumed && server.protocolVersion == (version == .tls12 ? "TLSv1.2" : "TLSv1.3"))
    #expect(verifier.lookedUp == 1, "only for whether the session is to be kept")

    let text = [UInt8]("a question".utf8)
    guard case .done(text.count) = client.write(text.span) else { throw Unexpected("write") }
    #expect(try server.readAvailable().get() == text)
    guard case .done = server.shutdown() else { throw Unexpected("shutdown") }
    var piece = [UInt8](repeating: 0, count: 16)
    var span = piece.mutableSpan
    guard case .closed = client.read(into: &span) else { throw Unexpected("read") }
  }

  @Test(
    arguments: Version.allCases,
    [
      Alert.badCertificate, .unsupportedCertificate, .certificateRevoked, .certificateExpired,
      .certificateUnknown,
      .unknownAuthority, .handshakeFailure, .decryptError, .internalError,
    ]) func `a refusal reaches the client as its alert`(version: Version, alert: Alert) throws
  {
    let wire = Wire()
    let server = try server(ScriptedVerifier(refusingWith: alert)).makeStream(descriptor: wire.near)
    let client = try client(version).makeStream(descriptor: wire.far, host: "127.0.0.1")
    let ends = shakeHands(server, client)
    guard case .failed(.refused(let refusal)) = ends.server else { throw Unexpected(ends) }
    #expect(refusal.alert == alert && "\(refusal.reason)" == "as the test says")
    #expect(refusal.subject == "CN=client\\E2\\80\\9D,O=Acme\\, Inc." && refusal.issuer == "CN=Authority")
    #expect(ends.client.alert == alert)
    #expect(server.peer == nil && server.serverName == nil)
    guard case .failed(.refused) = server.shutdown(), case .failed(.refused) = server.handshake() else {
      throw Unexpected("a failure must last")
    }
  }

  @Test(arguments: [(Version.tls12, Alert.handshakeFailure), (.tls13, .certificateRequired)])
  func `a client without a certificate is told so`(version: Version, alert: Alert) throws {
    let wire = Wire()
    let verifier = ScriptedVerifier()
    let server = try server(verifier).makeStream(descriptor: wire.near)
    let client = try client(version, shows: false).makeStream(descriptor: wire.far, host: "localhost")
    let ends = shakeHands(server, client)
    guard case .failed(.refused(let refusal)) = ends.server else { throw Unexpected(ends) }
    #expect("\(refusal.reason)" == "no certificate" && refusal.subject == nil)
    #expect(ends.client.alert == alert)
    #expect(verifier.verified == 0)
  }

  @Test(arguments: Version.allCases)
  func `a listener without client certificates lets everybody in, without a peer`(
    version: Version
  ) throws {
    let wire = Wire()
    let context = try ServerContext<ScriptedVerifier>(
      credential: certificates.credential("server"), clientCertificates: .none)
    let server = try context.makeStream(descriptor: wire.near)
    let client = try client(version).makeStream(descriptor: wire.far, host: "localhost")
    let ends = shakeHands(server, client)
    guard case (.established, .established) = ends else { throw Unexpected(ends) }
    #expect(server.peer == nil)
  }

  @Test(
    arguments: Version.allCases,
    [("stranger", "localhost"), ("authority", "elsewhere.test"), ("authority", "127.0.0.2")])
  func `a client believes only its pinned authority and the right name`(
    version: Version, case: (trusts: String, host: String)
  ) throws {
    let wire = Wire()
    let server = try server(ScriptedVerifier()).makeStream(descriptor: wire.near)
    let client = try client(version, trusts: `case`.trusts).makeStream(
      descriptor: wire.far, host: `case`.host)
    let ends = shakeHands(server, client)
    guard case .failed(.untrusted) = ends.client else { throw Unexpected(ends) }
  }

  @Test func `bytes that are no certificate are a decode error`() throws {
    let near = Wire()
    let far = Wire()
    let verifier = ScriptedVerifier()
    let server = try server(verifier).makeStream(descriptor: near.near)
    let client = try client(.tls12).makeStream(descriptor: far.far, host: "localhost")
    let der = try certificates.certificate("client").der
    var ends: (server: Ending?, client: Ending?) = (nil, nil)
    for _ in 0..<20 where ends.server == nil || ends.client == nil {
      ends.client = ends.client ?? client.step()
      // On the way its certificate, which TLS 1.2 does not encrypt, stops being a SEQUENCE.
      near.sendFar(far.receiveNear().replacing(der, with: [0x31] + der.dropFirst()))
      ends.server = ends.server ?? server.step()
      far.sendNear(near.receiveFar())
    }
    guard case .failed(.protocolError) = ends.server else { throw Unexpected(ends) }
    #expect(ends.client?.alert == .decodeError && verifier.verified == 0)
  }

  @Test func `a connection that ends without close_notify is truncated`() throws {
    let wire = Wire()
    let server = try server(ScriptedVerifier()).makeStream(descriptor: wire.near)
    let client = try client(.tls13).makeStream(descriptor: wire.far, host: "localhost")
    _ = shakeHands(server, client)
    wire.cut()
    guard case .failure(.truncated) = server.readAvailable() else { throw Unexpected("no truncation") }
    #expect(!TLSFailure.truncated.sendsAlert)
  }

  @Test func `writing to a socket that nobody reads any more is an error, not a signal`() throws {
    let wire = Wire()
    let server = try server(ScriptedVerifier()).makeStream(descriptor: wire.near)
    let client = try client(.tls13).makeStream(descriptor: wire.far, host: "localhost")
    _ = shakeHands(server, client)
    wire.abandon()
    guard case .failed(.transport(32)) = server.write([1, 2, 3].span) else { throw Unexpected("not EPIPE") }
  }

  @Test func `a write stops when the socket is full and goes on with the same bytes`() throws {
    let wire = Wire()
    let server = try server(ScriptedVerifier()).makeStream(descriptor: wire.near)
    let client = try client(.tls13).makeStream(descriptor: wire.far, host: "localhost")
    _ = shakeHands(server, client)
    let sent = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0) }
    var written = 0
    var received: [UInt8] = []
    var waits = 0
    while written < sent.count {
      // Another array each time: the bytes count, not where they lie.
      switch server.write(Array(sent[written...]).span) {
      case .done(let count): written += count
      case .wantWrite:
        waits += 1
        received += try client.readAvailable().get()
      case let other: throw Unexpected(other)
      }
    }
    received += try client.readAvailable().get()
    #expect(waits > 0 && received == sent)
  }
}

struct Unexpected: Error {
  let what: String
  init(_ what: Any) { self.what = "\(what)" }
}
