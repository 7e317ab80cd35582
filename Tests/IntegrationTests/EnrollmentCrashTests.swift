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
    let lock = try SessionLock(of: "certificate", in: server)
    let answer = Task { try await atOnce(1) { _ in try server.enroll(request, token) }[0] }
    try lock.waitForWriter()
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

/// A table that nobody else can write, held by a `psql` of its own.
private final class SessionLock {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let server: Installation
  private let table: String

  init(of table: String, in server: Installation) throws {
    self.server = server
    self.table = table
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["psql", "-X", "-q", "-A", "-t", try server.databaseURL]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try say("BEGIN; LOCK TABLE \(table) IN SHARE MODE; SELECT 'held';")
    var answer = ""
    while !answer.contains("held") {
      let part = output.fileHandleForReading.availableData
      if part.isEmpty { throw Shell.Failure("psql ended: \(answer)") }
      answer += String(decoding: part, as: UTF8.self)
    }
  }

  private func say(_ sql: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((sql + "\n").utf8))
  }

  /// Returns when somebody waits to write the table: PostgreSQL tells, asked again and again.
  func waitForWriter() throws {
    try say(
      """
      DO $$ BEGIN
        WHILE NOT EXISTS (SELECT FROM pg_locks WHERE relation = '\(table)'::regclass AND NOT granted) LOOP
          PERFORM pg_sleep(0.01);
        END LOOP;
      END $$;
      SELECT 'waiting';
      """)
    var answer = ""
    while !answer.contains("waiting") {
      let part = output.fileHandleForReading.availableData
      if part.isEmpty { throw Shell.Failure("psql ended: \(answer)") }
      answer += String(decoding: part, as: UTF8.self)
    }
  }

  func release() throws {
    try say("ROLLBACK;")
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
