import Fixtures
import Foundation

/// Something in an installation's database that nobody else can write, held by a `psql` of its own.
final class DatabaseLock {
  private let process: Program

  /// `statement` takes the lock, in a transaction that lasts until `release`.
  init(_ statement: String, in server: Installation) throws {
    process = try Program(
      "psql", ["-X", "-q", "-A", "-t", try server.databaseURL], input: .pipe, output: .pipe)
    try say("BEGIN; \(statement);", until: "held")
  }

  /// Returns when somebody waits for a lock, or with `newcomer` when somebody does who has connected since this one was
  /// taken: PostgreSQL tells, asked again and again.
  func waitForWaiter(newcomer: Bool = false) throws {
    let since = newcomer ? "backend_start > now()" : "true"
    try say(
      """
      DO $$ BEGIN
        WHILE NOT EXISTS (
          SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND \(since)
        ) LOOP
          PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01);
        END LOOP;
      END $$;
      """, until: "waiting")
  }

  func release() throws {
    try process.send(Array("ROLLBACK;\n".utf8))
    process.closeInput()
    process.waitForEnd()
  }

  /// Returns when the statements before have been done.
  private func say(_ sql: String, until word: String) throws {
    try process.send(Array("\(sql)\nSELECT '\(word)';\n".utf8))
    while true {
      let line = process.receivedLine()
      if line.contains(word) { return }
      if line.isEmpty { throw Shell.Failure("psql ended") }
    }
  }
}
