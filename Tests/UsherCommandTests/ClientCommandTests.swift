import Cryptography
import Fixtures
import Foundation
import PKIX
import TLS
import Testing

@testable import UsherCommand

@Suite struct ClientCommandTests {
  let authority: TestAuthority
  let organization: TestAuthority
  let temporary: TemporaryFolder

  init() throws {
    authority = try .root("Server Root")
    organization = try .root("Acme CA")
    temporary = try TemporaryFolder()
    try temporary.write(authority.certificate.pem, to: "ca.pem")
  }

  private func server(_ answers: String..., refusing refusal: Refusal? = nil) throws -> ScriptedServer {
    let server = try authority.server()
    let context = try ServerContext(
      credential: Credential(chain: [server.certificate], privateKey: server.key),
      clientCertificates: .required(Doorman(refusing: refusal)))
    return try ScriptedServer(context, answers.map { .init(answers: [$0]) })
  }

  private func enrollmentServer(_ answers: String...) throws -> ScriptedServer {
    let server = try authority.server()
    let context = try ServerContext<Doorman>(
      credential: Credential(chain: [server.certificate], privateKey: server.key), clientCertificates: .none)
    return try ScriptedServer(context, answers.map { .init(answers: [$0]) })
  }

  /// A folder as `enroll` leaves it.
  private func identityFolder(_ url: String) throws -> String {
    let leaf = try organization.leaf("laptop")
    try temporary.write(String(decoding: leaf.key.secretPEM(), as: UTF8.self), to: "key.pem")
    try temporary.write(leaf.certificate.pem, to: "chain.pem")
    try temporary.write(authority.certificate.pem, to: "server-ca.pem")
    try temporary.write(
      #"{"deviceURL":"\#(url)","organization":"acme","identity":"laptop"}"#, to: "identity.json")
    return temporary.path
  }

  private static func answer(_ status: Int, _ body: String, _ fields: String = "") -> String {
    "HTTP/1.1 \(status) x\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
  }

  private static let seat =
    #"{"product":"studio","license":"l1","organization":"acme","identity":"laptop","kind":"lease","generation":7,"#
    + #""revision":3,"grantedAt":"2026-11-30T01:02:03Z","expiresAt":null,"validUntil":"2026-11-30T01:12:03Z","#
    + #""validIn":600,"renewIn":200,"graceSeconds":0,"overdraft":false,"features":{}}"#

  private static let issued =
    #"{"certificate":"LEAF","chain":"LEAF CA","identity":"laptop","organization":"acme","#
    + #""deviceURL":"https://localhost:8443","notAfter":"2026-12-30T00:00:00Z","renewAfter":"2026-12-20T00:00:00Z"}"#

  @Test(arguments: [("claim", "PUT"), ("check", "GET")]) func `a seat is printed as the server gave it`(
    command: String, method: String
  ) async throws {
    let server = try server(Self.answer(200, Self.seat))
    let screen = await Screen.after(command, "--identity", try identityFolder(server.url), "studio")
    #expect(screen.code == .success && screen.errors == "")
    #expect(screen.printed == Self.seat + "\n")
    #expect(server.requests.first?.request.hasPrefix("\(method) /v1/seats/studio ") == true)
    #expect(server.requests.first?.peer == "CN=laptop")
  }

  @Test func `releasing prints nothing, at the URL that was given`() async throws {
    let server = try server(Self.answer(204, ""))
    let screen = await Screen.after(
      "release", "studio", "--identity", try identityFolder("https://localhost:1"), "--device-url", server.url
    )
    #expect(screen.code == .success && screen.errors == "" && screen.printed == "")
    #expect(server.requests.first?.request.hasPrefix("DELETE /v1/seats/studio ") == true)
  }

  @Test(arguments: ["claim", "check", "release"])
  func `a refusal is the problem on standard error and code 3`(
    command: String
  ) async throws {
    let problem = #"{"code":"no-seat-available","detail":"All 2 seats are taken."}"#
    let server = try server(Self.answer(409, problem))
    let screen = await Screen.after(command, "--identity", try identityFolder(server.url), "studio")
    #expect(screen.code == .refused && screen.errors == problem + "\n" && screen.printed == "")
  }

  @Test func `a certificate refused by an alert is code 3 too`() async throws {
    let server = try server("", refusing: Refusal(.unknownAuthority, "unknown"))
    let screen = await Screen.after("claim", "--identity", try identityFolder(server.url), "studio")
    #expect(screen.code == .refused && screen.errors.hasPrefix(#"{"code":"certificate-refused","#))
  }

  @Test func `a server that cannot tell is code 4`() async throws {
    let problem = #"{"code":"storage-unavailable","detail":"The database is away."}"#
    let server = try server(Self.answer(503, problem, "Retry-After: 2\r\n"))
    let folder = try identityFolder(server.url)
    let busy = await Screen.after("claim", "--identity", folder, "studio")
    #expect(busy.code == .unknown)
    #expect(
      busy.errors
        == "usher claim: the server answered 503, storage-unavailable: The database is away.; try again in 2 seconds\n"
    )
    let away = await Screen.after(
      "check", "--identity", folder, "--device-url", "https://localhost:1", "studio")
    #expect(away.code == .unknown && away.errors.contains("Connection refused"))
  }

  @Test func `a folder without an identity is code 1`() async {
    let screen = await Screen.after("check", "--identity", temporary.path, "studio")
    #expect(screen.code == .failure)
    #expect(
      screen.errors == "usher check: open \(temporary.path)/chain.pem: No such file or directory\n")
  }

  @Test(arguments: ["option", "file", "environment"])
  func `enrolling makes a complete folder, wherever the token is`(
    source: String
  ) async throws {
    let server = try enrollmentServer(Self.answer(201, Self.issued))
    let out = "\(temporary.path)/out"
    let file = try temporary.write("\n t0ken\n", to: "token")
    let given = ["option": ["--token", "t0ken"], "file": ["--token-file", file], "environment": []]
    let screen = await Screen.after(
      [
        "enroll", "--server", server.url, "--ca", "\(temporary.path)/ca.pem", "--out", out, "--name",
        "laptop",
      ]
        + (given[source] ?? []),
      environment: source == "environment" ? ["USHER_ENROLLMENT_TOKEN": "t0ken"] : [:])
    #expect(screen.code == .success && screen.errors == "")
    #expect(
      screen.printed == #"{"deviceURL":"https://localhost:8443","organization":"acme","identity":"laptop"}"#
        + "\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: out).sorted()
        == ["chain.pem", "identity.json", "key.pem", "server-ca.pem"])
    #expect(server.requests.first?.request.contains("\r\nAuthorization: Bearer t0ken\r\n") == true)
  }

  @Test func `a refused enrollment keeps its key for the next try`() async throws {
    let refused = #"{"code":"enrollment-invalid","detail":"The token is wrong, expired or spent."}"#
    let server = try enrollmentServer(Self.answer(401, refused), Self.answer(201, Self.issued))
    let line = [
      "enroll", "--server", server.url, "--ca", "\(temporary.path)/ca.pem", "--token", "t", "--out",
      "\(temporary.path)/out",
    ]
    let first = await Screen.after(line)
    #expect(first.code == .refused && first.errors == refused + "\n")
    let key = try String(contentsOfFile: "\(temporary.path)/out/key.pem", encoding: .utf8)
    #expect(await Screen.after(line).code == .success)
    #expect(try String(contentsOfFile: "\(temporary.path)/out/key.pem", encoding: .utf8) == key)
    let third = await Screen.after(line)
    #expect(third.code == .failure && third.errors.contains("has a certificate already"))
  }

  @Test func `an enrollment without a token, with two, or without a CA is code 1`() async throws {
    let line = [
      "enroll", "--server", "https://localhost:1", "--ca", "\(temporary.path)/ca.pem", "--out", "x",
    ]
    #expect(
      await Screen.after(line).errors
        == "usher enroll: the token must be given by --token-file, --token or USHER_ENROLLMENT_TOKEN\n")
    let both = await Screen.after(line + ["--token", "t", "--token-file", "f"])
    #expect(both.code == .failure && both.errors.contains("exclude each other"))
    let lost = await Screen.after(
      "enroll", "--server", "https://localhost:1", "--ca", "/nowhere/ca.pem", "--out", "x", "--token", "t")
    #expect(lost.code == .failure && lost.errors.contains("/nowhere/ca.pem: No such file or directory"))
  }
}
