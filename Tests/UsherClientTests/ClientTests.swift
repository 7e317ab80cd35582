import Cryptography
import Fixtures
import Foundation
import PKIX
import TLS
import Testing

@testable import UsherClient

@Suite struct ClientTests {
  let authority: TestAuthority
  let organization: TestAuthority
  let folder: TemporaryFolder
  let identity: DeviceIdentity

  init() throws {
    authority = try .root("Server Root")
    organization = try .root("Acme CA")
    folder = try TemporaryFolder()
    let key = try DeviceKey(creatingAt: "\(folder.path)/key.pem")
    identity = DeviceIdentity(
      deviceURL: "https://localhost:1", organization: "acme", identity: "laptop", key: key,
      chainPEM: Array(try organization.leaf("laptop", key: key.privateKey).certificate.pem.utf8),
      authorityPEM: Array(authority.certificate.pem.utf8))
  }

  private func context(
    _ refusal: Refusal? = nil, asks: Bool = true
  ) throws -> ServerContext<Doorman> {
    let server = try authority.server()
    return try ServerContext(
      credential: Credential(chain: [server.certificate], privateKey: server.key),
      clientCertificates: asks ? .required(Doorman(refusing: refusal)) : .none)
  }

  private func server(_ acts: ScriptedServer.Act...) throws -> ScriptedServer {
    try ScriptedServer(context(), acts)
  }

  private static let seat = """
    {"product":"studio","license":"l1","organization":"acme","identity":"laptop","kind":"lease","generation":7,\
    "revision":3,"grantedAt":"2026-11-30T01:02:03Z","expiresAt":"2026-11-30T01:12:03Z",\
    "validUntil":"2026-11-30T01:12:03Z","validIn":600,"renewIn":200,"graceSeconds":30,"overdraft":false,\
    "features":{"export":true,"projects":12,"ratio":0.5,"tier":"gold"},"news":"ignored"}
    """

  private static func answer(_ status: Int, _ body: String, _ fields: String = "") -> String {
    "HTTP/1.1 \(status) x\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
  }

  @Test func `a claim, a check and a release go over one connection`() async throws {
    let server = try server(
      .init(
        answers: [Self.answer(201, Self.seat), Self.answer(200, Self.seat), Self.answer(204, "")], waits: true
      ))
    let client = try Client(identity: identity, server: server.url)
    let seat = try await client.claim("studio")
    #expect(seat.isNew && seat.kind == .lease && seat.generation == 7 && seat.revision == 3)
    #expect(
      seat.grantedAt == 1_796_000_523 && seat.expiresAt == 1_796_001_123 && seat.validUntil == 1_796_001_123)
    #expect(seat.validIn == 600 && seat.renewIn == 200 && seat.graceSeconds == 30 && !seat.overdraft)
    #expect(
      seat.features == [
        "export": .flag(true), "projects": .integer(12), "ratio": .number(0.5), "tier": .text("gold"),
      ])
    #expect(seat.json == Self.seat)
    #expect(try await client.check("studio").isNew == false)
    try await client.release("studio")
    #expect(
      server.requests.map { String($0.request.prefix { $0 != "\r\n" }) } == [
        "PUT /v1/seats/studio HTTP/1.1", "GET /v1/seats/studio HTTP/1.1", "DELETE /v1/seats/studio HTTP/1.1",
      ])
    #expect(server.requests.allSatisfy { $0.connection == 0 && $0.peer == "CN=laptop" })
    #expect(server.requests[0].request.contains("\r\nHost: 127.0.0.1:\(server.port)\r\n"))
  }

  @Test func `an assigned seat never expires`() async throws {
    let assigned = Self.seat.replacing("\"expiresAt\":\"2026-11-30T01:12:03Z\"", with: "\"expiresAt\":null")
      .replacing("\"lease\"", with: "\"assigned\"")
    let server = try server(.init(answers: [Self.answer(200, assigned)]))
    let seat = try await Client(identity: identity, server: server.url).claim("studio", renewing: 7)
    #expect(seat.expiresAt == nil && seat.kind == .assigned)
    #expect(server.requests[0].request.contains("\r\nIf-Match: \"7\"\r\n"))
  }

  @Test func `a connection that the server has closed meanwhile is replaced, without a word`() async throws {
    let server = try server(
      .init(answers: [Self.answer(201, Self.seat)]),
      .init(answers: [Self.answer(200, Self.seat, "Connection: close\r\n")]),
      .init(answers: [Self.answer(200, Self.seat)]))
    let client = try Client(identity: identity, server: server.url)
    for _ in 0..<3 { _ = try await client.claim("studio") }
    #expect(server.requests.map(\.connection) == [0, 1, 2])
  }

  @Test func `a refusal is the server's problem`() async throws {
    let problem =
      #"{"type":"/problems/no-seat-available","title":"No seat","status":409,"code":"no-seat-available","#
      + #""detail":"All 2 seats are taken.","contactUrl":"https://acme.example","seats":2,"held":2}"#
    let server = try server(
      .init(
        answers: [Self.answer(409, problem, "Retry-After: 17\r\n"), Self.answer(404, "<html>")], waits: true))
    let client = try Client(identity: identity, server: server.url)
    guard case .refused(let refused) = await failure({ _ = try await client.claim("studio") }) else {
      throw Surprise()
    }
    #expect(refused.code == "no-seat-available" && refused.status == 409 && refused.retryAfter == 17)
    #expect(refused.detail == "All 2 seats are taken." && refused.contactURL == "https://acme.example")
    #expect(refused.json == problem)
    guard case .refused(let other) = await failure({ _ = try await client.check("studio") }) else {
      throw Surprise()
    }
    #expect(other.code == "status-404" && other.status == 404)
  }

  @Test(arguments: [503, 500, 429, 302]) func `a server that is busy or broken says neither yes nor no`(
    status: Int
  ) async throws {
    let server = try server(.init(answers: [Self.answer(status, "{}", "Retry-After: 3\r\n")]))
    let client = try Client(identity: identity, server: server.url)
    guard case .cannotTell(_, retryAfter: 3) = await failure({ _ = try await client.claim("studio") }) else {
      throw Surprise()
    }
  }

  @Test(arguments: [
    "{}", "[", seat.replacing("\"lease\"", with: "\"gift\""), seat.replacing("7", with: "\"7\""),
  ])
  func `an answer that cannot be read says neither yes nor no`(body: String) async throws {
    let server = try server(.init(answers: [Self.answer(200, body)]))
    let client = try Client(identity: identity, server: server.url)
    guard case .cannotTell = await failure({ _ = try await client.check("studio") }) else { throw Surprise() }
  }

  @Test(arguments: [Alert.unknownAuthority, .certificateRevoked, .badCertificate, .unsupportedCertificate])
  func `an alert about the certificate is a refusal`(alert: Alert) async throws {
    let server = try ScriptedServer(context(Refusal(alert, "as the test says")), [.init(answers: [])])
    let client = try Client(identity: identity, server: server.url)
    guard case .refused(let problem) = await failure({ _ = try await client.claim("studio") }) else {
      throw Surprise()
    }
    #expect(
      problem.code == "certificate-refused" && problem.status == nil && problem.detail.hasSuffix("\(alert)"))
  }

  @Test func `a server of another authority is not believed`() async throws {
    let server = try server(.init(answers: []))
    let stranger = DeviceIdentity(
      deviceURL: server.url, organization: "acme", identity: "laptop", key: identity.key,
      chainPEM: identity.chainPEM,
      authorityPEM: Array(organization.certificate.pem.utf8))
    let client = try Client(identity: stranger)
    guard case .cannotTell(let reason, nil) = await failure({ _ = try await client.claim("studio") }) else {
      throw Surprise()
    }
    #expect(reason.contains("not trusted"))
  }

  @Test func `a server that is not there says neither yes nor no`() async throws {
    let client = try Client(identity: identity)
    guard case .cannotTell(let reason, nil) = await failure({ _ = try await client.claim("studio") }) else {
      throw Surprise()
    }
    #expect(reason.contains("refused"))
  }

  @Test func `a server that never answers is given up in time`() async throws {
    let server = try server(.init(answers: [""], waits: true))
    let client = try Client(identity: identity, server: server.url, timeout: .milliseconds(300))
    guard case .cannotTell(let reason, nil) = await failure({ _ = try await client.claim("studio") }) else {
      throw Surprise()
    }
    #expect(reason.contains("in time"))
  }

  @Test func `cancelling the task cuts the connection`() async throws {
    let server = try server(.init(answers: [""], waits: true))
    let client = try Client(identity: identity, server: server.url)
    let task = Task { await failure { _ = try await client.claim("studio") } }
    while server.requests.isEmpty { await Task.yield() }
    task.cancel()
    guard case .cancelled = await task.value else { throw Surprise() }
  }

  @Test func `an enrollment sends the token and the request, and brings a certificate`() async throws {
    let body =
      #"{"certificate":"LEAF","chain":"LEAF CA","identity":"laptop","organization":"acme","#
      + #""deviceURL":"https://localhost:8443","notAfter":"2026-12-30T00:00:00Z","renewAfter":"2026-12-20T00:00:00Z"}"#
    let server = try ScriptedServer(context(asks: false), [.init(answers: [Self.answer(201, body)])])
    let client = try Client(server: server.url, authorityPEM: identity.authorityPEM)
    let issued = try await client.enroll(token: "t0ken", request: Array("request".utf8))
    #expect(issued.chainPEM == "LEAF CA" && issued.identity == "laptop" && issued.organization == "acme")
    #expect(issued.deviceURL == "https://localhost:8443" && issued.renewAfter == 1_797_724_800)
    let sent = server.requests[0].request
    #expect(sent.hasPrefix("POST /v1/enroll HTTP/1.1\r\n") && sent.hasSuffix("\r\n\r\nrequest"))
    #expect(
      sent.contains("\r\nAuthorization: Bearer t0ken\r\n")
        && sent.contains("\r\nAccept: application/json\r\n"))
    #expect(sent.contains("\r\nContent-Type: application/pkcs10\r\n") && server.requests[0].peer == nil)
  }

  @Test func `a renewal and the report of the identity are read`() async throws {
    let report =
      #"{"organization":"acme","identity":"laptop","certificate":{"serialNumber":"0a","fingerprint":"ff","#
      + #""notAfter":"2026-12-30T00:00:00Z","renewAfter":null},"seats":[]}"#
    let server = try server(.init(answers: [Self.answer(200, report)]))
    let read = try await Client(identity: identity, server: server.url).identity()
    #expect(
      read.identity == "laptop" && read.serialNumber == "0a" && read.renewAfter == nil && read.json == report)
  }

  @Test(arguments: ["", "two words", "line\r\nbreak", "caf\u{e9}"]) func `what cannot be a token is not sent`(
    token: String
  ) async throws {
    let client = try Client(server: "https://localhost:1", authorityPEM: identity.authorityPEM)
    guard case .unusable = await failure({ _ = try await client.enroll(token: token, request: []) }) else {
      throw Surprise()
    }
  }

  @Test func `a client that cannot be made says why`() throws {
    let bad = #expect(throws: ClientError.self) {
      try Client(server: "http://a", authorityPEM: identity.authorityPEM)
    }
    #expect(bad?.description == "“http://a” is no server: it must be https://host or https://host:port")
    let none = #expect(throws: ClientError.self) { try Client(server: "https://a", authorityPEM: []) }
    #expect(none?.description == "there is no certificate of a server's authority")
  }
}

struct Surprise: Error {}

/// The error that an operation throws; nil when it throws none, or another.
private func failure(_ operation: () async throws -> Void) async -> ClientError? {
  do { try await operation() } catch { return error as? ClientError }
  return nil
}
