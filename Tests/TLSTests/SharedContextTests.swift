import Foundation
import PKIX
import Testing

@testable import TLS

/// For ThreadSanitizer: one context, two threads, sessions that cross between them, and a certificate that changes.
@Suite struct SharedContextTests {
  @Test func `two threads serve one context while its certificate is replaced`() async throws {
    let certificates = try TestCertificates.shared.get()
    let verifier = ScriptedVerifier()
    let context = try ServerContext(
      credential: certificates.credential("server"), clientCertificates: .required(verifier),
      sessionCapacity: 3)
    let resumed = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<2 {
        group.addTask {
          let server = try LoopbackServer()
          let file = certificates.path("session-\(UUID().uuidString)")
          var resumed = 0
          for round in 0..<10 {
            let command = try OpenSSLCommand(
              [
                "s_client", "-connect", "127.0.0.1:\(server.port)", "-servername", "localhost", "-cert",
                certificates.path("client.pem"), "-key", certificates.path("client.key"),
                round % 4 < 2 ? "-tls1_2" : "-tls1_3", "-sess_out", file,
              ] + (round % 2 == 1 ? ["-sess_in", file] : []), input: "")
            let visit = try server.serve(context)
            _ = try command.finish()
            if visit.isResumed { resumed += 1 }
            #expect(visit.peer != nil)
            try context.replaceCredential(certificates.credential(round % 2 == 0 ? "replacement" : "server"))
          }
          return resumed
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(resumed > 0 && verifier.verified + resumed == 20)
  }

  @Test func `two threads resume one session`() async throws {
    let certificates = try TestCertificates.shared.get()
    let context = try ServerContext(
      credential: certificates.credential("server"), clientCertificates: .required(ScriptedVerifier()))
    for version in ["-tls1_2", "-tls1_3"] {
      let file = certificates.path("session-\(UUID().uuidString)")
      let line = [
        "s_client", "-servername", "localhost", "-cert", certificates.path("client.pem"), "-key",
        certificates.path("client.key"), version,
      ]
      let first = try LoopbackServer()
      let command = try OpenSSLCommand(
        line + ["-connect", "127.0.0.1:\(first.port)", "-sess_out", file], input: "")
      _ = try first.serve(context)
      _ = try command.finish()
      try await withThrowingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            let server = try LoopbackServer()
            for _ in 0..<5 {
              let command = try OpenSSLCommand(
                line + ["-connect", "127.0.0.1:\(server.port)", "-sess_in", file], input: "")
              #expect(try server.serve(context).isResumed)
              _ = try command.finish()
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
