import Fixtures
import Foundation
import PKIX
import TLS

@testable import UsherCommand

/// An admin at a machine with a profile, and a server that answers as a test says.
struct AdminDesk {
  let temporary: TemporaryFolder
  let server: ScriptedServer
  var environment: [String: String] { ["XDG_CONFIG_HOME": temporary.path, "HOME": "/nonexistent"] }
  var ca: String { temporary.path + "/ca.pem" }
  var profile: String { temporary.path + "/usher/default.json" }

  /// - Parameters:
  ///   - answers: one for each connection.
  ///   - organization: whose token the profile holds; nil: it is an operator's.
  init(_ answers: [String], organization: String? = "acme") throws {
    let authority = try TestAuthority.root("Server Root")
    let certificate = try authority.server()
    let context = try ServerContext<Doorman>(
      credential: Credential(chain: [certificate.certificate], privateKey: certificate.key),
      clientCertificates: .none)
    server = try ScriptedServer(context, answers.map { .init(answers: [$0]) })
    temporary = try TemporaryFolder()
    try temporary.write(authority.certificate.pem, to: "ca.pem")
    let file = try ProfileFile(nil, environment)
    try file.write(
      Profile(
        server: server.url, authorityPEM: authority.certificate.pem, token: "t0ken",
        organization: organization))
  }

  func run(_ words: String...) async -> Screen { await run(words) }
  func run(_ words: [String]) async -> Screen { await Screen.after(words, environment: environment) }

  static func answer(_ status: Int, _ body: String, _ fields: String = "") -> String {
    "HTTP/1.1 \(status) x\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(fields)\r\n\(body)"
  }

  static let token =
    #"{"id":"t1","name":"Ann","role":"admin","organization":"acme","expiresAt":null,"lastUsedAt":null,"externalId":null,"metadata":{}}"#
}
