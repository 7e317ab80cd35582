import Fixtures
import Foundation
import Testing

/// A server that dies while it issues.
struct EnrollmentCrashTests {
  @Test func `a server killed between signing and storing leaves nothing half done`() async throws {
    let server = try Installation()
    let tenant = try server.makeTenant()
    let token = try tenant.enrollmentToken(#"{"license": "\#(tenant.license)"}"#)
    let request = try KeyRequest(in: server.folder.path, "laptop")

    // The certificate is signed when it is to be stored, and there the server stops: the table is locked.
    let lock = try DatabaseLock("LOCK TABLE certificate IN SHARE MODE", in: server)
    let answer = Task { try await atOnce(1) { _ in try server.enroll(request, token) }[0] }
    try lock.waitForWaiter()
    server.kill()
    #expect(try await answer.value.status == 0, "nobody was told anything")
    try server.restart()
    try lock.release()

    let left = """
      SELECT (SELECT count(*) FROM certificate) || ' ' || (SELECT sum(used) FROM enrollment) || ' '
        || (SELECT count(*) FROM identity) || ' ' || (SELECT count(*) FROM seat) || ' '
        || (SELECT count(*) FROM event WHERE type IN ('certificate.issued', 'identity.created'))
      """
    #expect(try server.sql(left) == "0 0 0 0 0")
    let again = try server.enroll(request, token)
    #expect(again.status == 201, "\(again)")
    #expect(try server.sql(left) == "1 1 1 1 2")
    #expect(try server.device(again, request).check(tenant.product).text("kind") == "assigned")
  }
}
