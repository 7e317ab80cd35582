import Fixtures
import Foundation
import Reactor

extension Installation {
  /// Asks `/readyz` again and again until it says so; its last answer.
  @discardableResult
  func waits(untilReady isReady: Bool, seconds: Int64 = 60) throws -> Answer {
    let deadline = MonotonicInstant.now.advanced(by: .seconds(seconds))
    while true {
      let answer = try curl([ops + "/readyz"])
      if answer.status == (isReady ? 200 : 503) { return answer }
      guard MonotonicInstant.now.duration(to: deadline) > .zero else {
        throw Shell.Failure("/readyz still says \(answer)")
      }
    }
  }

  /// Every process of its PostgreSQL, the postmaster first.
  func postgresProcesses() throws -> [Int32] {
    let others = try sql("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    return [try postmaster] + others.split(separator: "\n").compactMap { Int32($0) }
  }

  /// Sends a signal to processes of this installation.
  func signal(_ number: Int32, _ processes: [Int32]) {
    for process in processes { Glibc.kill(process, number) }
  }

  /// Stops PostgreSQL in order, as `pg_ctl stop` does (PostgreSQL manual, §19.5), and waits for its end.
  func stopPostgres() throws {
    let process = try postmaster
    signal(SIGINT, [process])
    Self.waitForEnd(of: process)
  }

  /// Starts PostgreSQL by hand with the command that started it last.
  func startPostgres() throws {
    let folder = data + "/postgres/postgres"
    let command = try String(contentsOfFile: folder + "/postmaster.opts", encoding: .utf8)
      .trimmingCharacters(in: .newlines)
    // As root it may not run; the account that owns the folder then needs a way into ours, which is closed to it.
    let script = """
      cd /
      step=
      if [ "$(id -u)" = 0 ]; then
        step="setpriv --reuid=$(stat -c %u "$0") --regid=$(stat -c %g "$0") --clear-groups \
      --inh-caps=+dac_read_search --ambient-caps=+dac_read_search --"
      fi
      exec $step \(command) >"\(data)/by-hand.log" 2>&1 </dev/null &
      """
    let started = try Shell.run("sh", ["-c", script, folder])
    guard started.status == 0 else { throw Shell.Failure(started.errors) }
  }

  /// How many descriptors the server's process has open.
  func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processID)/fd").count
  }

  /// Waits until a process that is not our child is gone.
  static func waitForEnd(of process: Int32) {
    while Glibc.kill(process, 0) == 0 { usleep(10_000) }
  }
}
