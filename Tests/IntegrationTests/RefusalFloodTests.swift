import Fixtures
import Foundation
import PKIX
import Testing

/// A flood of refused certificates is counted, and floods neither the log nor the audit trail.
struct RefusalFloodTests {
  private static let count = 300

  @Test func `hundreds of refusals are a few lines and one entry`() throws {
    let server = try Installation.shared.get()
    let other = try FurtherServer(of: server)
    let ca = try ExternalCA(.root(), of: server.makeTenant(authority: false))
    let stranger = try TestAuthority.root("Stranger\nline=forged").leaf("nobody\u{1B}[2J")
    let context = try server.clientContext(stranger)
    for _ in 0..<Self.count {
      let connection = try? HeldConnection(to: other.port, in: context)
      // In TLS 1.3 the client is done before the server has judged.
      if let answer = try? connection?.get("/v1/identity") { Issue.record("answered: \(answer)") }
    }
    let late = try ca.device("late") { $0.notAfter = TestClock.now - 60 }
    for _ in 0..<3 { #expect(try other.call(late, "GET", "/v1/identity").status == 410) }
    let metrics = try server.curl([other.ops + "/metrics"]).body
    #expect(
      metrics.contains(
        #"usher_tls_refusals_total{listener="device",reason="no known authority"} \#(Self.count)"#),
      "\(metrics)")
    #expect(metrics.contains(#"usher_device_refusals_total{reason="certificate-expired"} 3"#))

    other.stop()
    let lines = other.said.split(separator: "\n").filter { $0.contains("certificate refused") }
    #expect((1...60).contains(lines.count), "\(lines.count) lines")
    #expect(lines.allSatisfy { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
    #expect(!other.said.split(separator: "\n").contains { $0.hasPrefix("line=forged") })

    // Of each minute and reason one entry; a minute may have ended in between.
    let entries = try server.sql(
      """
      SELECT count(*) || ' ' || sum((detail ->> 'count')::int) FROM event
      WHERE type = 'certificate.refused' AND organization_id = 0 AND detail ->> 'reason' = 'no known authority'
        AND detail ->> 'fingerprint' = '\(stranger.certificate.fingerprint)'
      """
    ).split(separator: " ").compactMap { Int($0) }
    #expect(entries.count == 2 && (1...3).contains(entries[0]) && entries[1] == Self.count, "\(entries)")
    let told = try server.sql(
      """
      SELECT sum((detail ->> 'count')::int) FROM event e JOIN organization o ON o.id = e.organization_id
      WHERE o.slug = '\(ca.tenant.slug)' AND type = 'certificate.refused'
        AND detail ->> 'reason' = 'certificate-expired'
      """)
    #expect(told == "3")
  }
}
