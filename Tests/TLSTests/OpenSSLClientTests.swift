import Cryptography
import Foundation
import PKIX
import Testing

@testable import TLS

/// What `openssl s_client` sees of the server.
@Suite struct OpenSSLClientTests {
  let certificates: TestCertificates
  let server: LoopbackServer
  let verifier = ScriptedVerifier()

  init() throws {
    certificates = try TestCertificates.shared.get()
    server = try LoopbackServer()
  }

  private func context(
    capacity: Int = 100, now: (@Sendable () -> Int64)? = nil
  ) throws -> ServerContext<ScriptedVerifier> {
    try ServerContext(
      credential: certificates.credential("server"), clientCertificates: .required(verifier),
      sessionCapacity: capacity, now: now)
  }

  /// Connects with `s_client`; its whole output and what the server saw.
  private func visit(
    _ context: ServerContext<ScriptedVerifier>, _ arguments: [String], shows: Bool = true,
    input: String? = nil
  ) throws -> (said: String, visit: LoopbackServer.Visit<ScriptedVerifier.Visitor>) {
    var line = [
      "s_client", "-connect", "127.0.0.1:\(server.port)", "-CAfile", certificates.path("authority.pem"),
    ]
    if !arguments.contains(where: { $0.hasSuffix("servername") }) { line += ["-servername", "localhost"] }
    if shows { line += ["-cert", certificates.path("client.pem"), "-key", certificates.path("client.key")] }
    let command = try OpenSSLCommand(line + arguments, input: input ?? "")
    let visit = try server.serve(context, untilClosed: input != nil)
    return (try command.finish(), visit)
  }

  private func sessionFile() -> String { certificates.path("session-\(UUID().uuidString)") }

  @Test(arguments: ["-tls1_2", "-tls1_3"]) func `a resumed connection has the peer of its session`(
    version: String
  ) throws {
    let context = try context()
    let file = sessionFile()
    let first = try visit(context, [version, "-sess_out", file])
    #expect(first.visit.peer?.number == 1 && !first.visit.isResumed && first.said.contains("hello"))
    for _ in 0..<3 {
      // Each time with the session of the time before.
      let again = try visit(context, [version, "-sess_in", file, "-sess_out", file])
      #expect(again.said.contains("Reused, TLS"))
      #expect(again.visit.isResumed && again.visit.peer === first.visit.peer)
    }
    // TLS 1.3 makes a new session at each visit, TLS 1.2 keeps the first.
    #expect(verifier.verified == 1 && verifier.lookedUp == (version == "-tls1_3" ? 7 : 4))
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `the session of a peer that no longer stands falls back to a full handshake`(
    version: String
  ) throws {
    let context = try context()
    let file = sessionFile()
    _ = try visit(context, [version, "-sess_out", file])
    verifier.withdraw()
    let again = try visit(context, [version, "-sess_in", file])
    #expect(again.said.contains("New, TLS"))
    #expect(!again.visit.isResumed && again.visit.peer?.number == 2)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"]) func `of a peer that is refused already no session is kept`(
    version: String
  )
    throws
  {
    let context = try context()
    verifier.withdraw()
    let file = sessionFile()
    _ = try visit(context, [version, "-sess_out", file])
    #expect(context.sessionCount == 0)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"]) func `no session outlives its day, however often it is resumed`(
    version: String
  ) throws {
    let clock = Lock(try certificates.certificate("client").notBefore)
    let context = try context(now: { clock.withLock { $0 } })
    let file = sessionFile()
    _ = try visit(context, [version, "-sess_out", file])
    clock.withLock { $0 += 86_399 }
    #expect(try visit(context, [version, "-sess_in", file, "-sess_out", file]).visit.isResumed)
    clock.withLock { $0 += 1 }
    #expect(try visit(context, [version, "-sess_in", file]).visit.isResumed == false)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"]) func `no session outlives its certificate`(version: String) throws
  {
    let end = try certificates.certificate("client").notAfter
    let clock = Lock<Int64>(end - 10)
    let context = try context(now: { clock.withLock { $0 } })
    let file = sessionFile()
    _ = try visit(context, [version, "-sess_out", file])
    #expect(try visit(context, [version, "-sess_in", file]).visit.isResumed)
    clock.withLock { $0 = end }
    #expect(try visit(context, [version, "-sess_in", file]).visit.isResumed == false)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `a session of one host name is not resumed at another, nor without one`(
    version: String
  ) throws {
    let context = try context()
    let file = sessionFile()
    _ = try visit(context, [version, "-sess_out", file])
    let other = try visit(context, [version, "-sess_in", file, "-servername", "other.test"])
    #expect(!other.visit.isResumed && other.visit.serverName == "other.test")
    let without = try visit(context, [version, "-sess_in", file, "-noservername"])
    #expect(!without.visit.isResumed && without.visit.serverName == nil)
    #expect(try visit(context, [version, "-sess_in", file]).visit.isResumed)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"]) func `a full cache forgets the oldest session`(version: String)
    throws
  {
    let context = try context(capacity: 2)
    let files = [sessionFile(), sessionFile(), sessionFile()]
    for file in files { _ = try visit(context, [version, "-sess_out", file]) }
    #expect(context.sessionCount == 2)
    #expect(try visit(context, [version, "-sess_in", files[2]]).visit.isResumed)
    #expect(try visit(context, [version, "-sess_in", files[0]]).visit.isResumed == false)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `another server certificate is shown from the next connection on, and sessions stay`(
    version: String
  ) throws {
    let context = try context()
    let file = sessionFile()
    #expect(try visit(context, [version, "-sess_out", file]).said.contains("subject=CN = server"))
    try context.replaceCredential(certificates.credential("replacement"))
    #expect(try visit(context, [version]).said.contains("subject=CN = replacement"))
    #expect(try visit(context, [version, "-sess_in", file]).visit.isResumed)
  }

  @Test func `no CertificateRequest is sent where no certificate is wanted, and none names an authority`()
    throws
  {
    let open = try ServerContext<ScriptedVerifier>(
      credential: certificates.credential("server"), clientCertificates: .none)
    for version in ["-tls1_2", "-tls1_3"] {
      let anonymous = try visit(open, [version, "-msg"])
      #expect(anonymous.said.contains("hello") && !anonymous.said.contains("CertificateRequest"))
      #expect(anonymous.visit.peer == nil && open.sessionCount == 0)
      let asked = try visit(try context(), [version, "-msg"])
      #expect(asked.said.contains("CertificateRequest"))
      #expect(asked.said.contains("No client certificate CA names sent"))
    }
  }

  @Test(arguments: [("-tls1_2", "alert handshake failure"), ("-tls1_3", "alert certificate required")])
  func `a client without a certificate reads why`(version: String, alert: String) throws {
    let refused = try visit(try context(), [version], shows: false)
    #expect(refused.said.contains(alert))
    #expect(refused.visit.ending.alert == .certificateRequired && verifier.verified == 0)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `a flood of certificates is cut off before the verifier sees it`(
    version: String
  ) throws {
    let flood = try visit(try context(), [version, "-cert_chain", certificates.path("flood.pem")])
    guard case .failed(.protocolError(let reason)) = flood.visit.ending else { throw Unexpected(flood.visit) }
    #expect(reason.contains("excessive message size") && verifier.verified == 0)
    #expect(flood.said.contains("alert illegal parameter"))
  }

  @Test(arguments: [
    (["-tls1_1", "-cipher", "ALL@SECLEVEL=0"], "unsupported protocol"),
    (["-tls1_2", "-cipher", "AES128-GCM-SHA256"], "no shared cipher"),
    (["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA256"], "no shared cipher"),
    (["-tls1_2", "-cipher", "DHE-RSA-AES128-GCM-SHA256"], "no shared cipher"),
    (["-tls1_3", "-curves", "P-521"], "no suitable key share"), (["-alpn", "h2"], "no application protocol"),
  ]) func `old versions, weak suites, other groups and other protocols are refused`(
    arguments: [String], reason: String
  ) throws {
    let refused = try visit(try context(), arguments)
    guard case .failed(.protocolError(let said)) = refused.visit.ending else {
      throw Unexpected(refused.visit)
    }
    #expect(said.contains(reason))
  }

  @Test(arguments: [["-tls1_2", "-curves", "P-256:X25519"], ["-tls1_3"]])
  func `X25519 comes first and HTTP 1.1 is chosen`(arguments: [String]) throws {
    let met = try visit(try context(), arguments + ["-alpn", "h2,http/1.1"])
    #expect(met.said.contains("Server Temp Key: X25519") && met.said.contains("ALPN protocol: http/1.1"))
  }

  @Test func `a client cannot renegotiate`() throws {
    let met = try visit(try context(), ["-tls1_2"], input: "R\n")
    #expect(met.said.contains("RENEGOTIATING") && met.said.contains("no renegotiation"))
    #expect(verifier.verified == 1)
  }

  @Test func `neither DSA nor short hashes are accepted as signatures`() throws {
    let met = try visit(try context(), ["-tls1_2"])
    let offer = met.said.split(separator: "\n").filter { $0.hasPrefix("Requested Signature Algorithms:") }
    #expect(
      offer.count == 1
        && offer.allSatisfy { !$0.contains(":DSA") && !$0.contains("SHA224") && !$0.contains("SHA1") })
  }
}
