import Fixtures
import Foundation
import Reactor

/// A copy of an installation's PostgreSQL that follows it and confirms its commits (PostgreSQL manual, §27.2.8), until it
/// is promoted.
final class Standby {
  let installation: Installation
  /// Of its socket.
  let folder: TemporaryFolder
  private let process: Program

  init(of installation: Installation) throws {
    self.installation = installation
    folder = try TemporaryFolder()
    let primary = try installation.socketFolder
    // It runs as the account that runs the primary, and ends when our end of its input is closed.
    let script = #"""
      bin=$(dirname "$(readlink /proc/$3/exe)")
      step=
      if [ "$(id -u)" = 0 ]; then
        chown "$(stat -c %u:%g "$1")" "$0"
        step="setpriv --reuid=$(stat -c %u "$1") --regid=$(stat -c %g "$1") --clear-groups --"
      fi
      cd /
      $step "$bin/pg_basebackup" -h "$2" -U usher -D "$0/data" -R -X stream -c fast --no-sync || exit 1
      exec 3<&0; (cat <&3; kill -INT $$) >/dev/null 2>&1 &
      exec $step "$bin/postgres" -D "$0/data" -k "$0" -c listen_addresses= -c logging_collector=off \
        -c fsync=off </dev/null 3<&-
      """#
    process = try Program(
      "sh",
      [
        "-c", script, folder.path, installation.data + "/postgres/postgres", primary,
        "\(try installation.postmaster)",
      ],
      input: .pipe, errors: .file(installation.folder.path + "/standby.log"))
    try wait(for: "follows") {
      // The copy itself is a stream too.
      try installation.sql(
        """
        SELECT count(*) FROM pg_stat_replication
         WHERE state = 'streaming' AND application_name <> 'pg_basebackup'
        """) == "1"
    }
    // Set only now, so that the copy, once promoted, waits for nobody.
    try installation.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
    try installation.sql("SELECT pg_reload_conf()")
    try wait(for: "confirms") {
      try installation.sql("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == "1"
    }
  }

  deinit {
    process.closeInput()
    if !process.ends(within: 20) { process.signal(SIGKILL) }
  }

  /// Where the database is once this one was promoted.
  var url: String { "postgresql://usher@/usher?host=\(folder.path)" }

  /// Whichever of the two takes writes.
  var urlOfBoth: String {
    get throws {
      "postgresql://usher@/usher?host=\(try installation.socketFolder),\(folder.path)&target_session_attrs=read-write"
    }
  }

  func promote() throws {
    let result = try Shell.run("psql", ["-X", "-A", "-t", "-c", "SELECT pg_promote()", url])
    guard result.output.hasPrefix("t") else { throw Shell.Failure("not promoted: \(result)") }
  }

  private func wait(for what: String, until isSo: () throws -> Bool) throws {
    let deadline = MonotonicInstant.now.advanced(by: .seconds(60))
    while try !isSo() {
      guard process.isRunning, MonotonicInstant.now.duration(to: deadline) > .zero else {
        let said = try? String(contentsOfFile: installation.folder.path + "/standby.log", encoding: .utf8)
        throw Shell.Failure("no standby that \(what): \(said ?? "")")
      }
    }
  }
}
