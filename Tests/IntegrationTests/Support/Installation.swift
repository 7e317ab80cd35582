import Fixtures
import Foundation

/// A real `usher dev` on ports of its own, in a folder of its own.
final class Installation: @unchecked Sendable {
  // SAFETY: `process` and `movedTo` are replaced only by a test that owns its installation.
  let folder: TemporaryFolder
  private(set) var process: Program
  let device: String
  let admin: String
  let ops: String
  /// Where its database is, when that is not where it was any more.
  var movedTo: String?

  /// One for all tests that do not kill it: each makes its own organizations.
  static let shared = Result { try Installation() }

  var data: String { folder.path + "/data" }
  var serverCA: String { data + "/server-ca.pem" }
  var operatorToken: String {
    get throws {
      try String(contentsOfFile: data + "/operator.token", encoding: .utf8).trimmingCharacters(in: .newlines)
    }
  }

  /// The built program, beside the test bundle unless `USHER_TEST_PROGRAM` is another build of it.
  static let usher: String = {
    if let other = ProcessInfo.processInfo.environment["USHER_TEST_PROGRAM"] { return other }
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    return bundle.appendingPathComponent("usher").path
  }()

  /// `command` is what it is run by, such as `env` and variables; `prepare` is told the folder of its data.
  init(under command: [String] = [], prepare: (String) throws -> Void = { _ in }) throws {
    folder = try TemporaryFolder()
    try prepare(folder.path + "/data")
    (process, device, admin, ops) = try Self.start(
      folder.path + "/data", ports: ("0", "0", "0"), under: command)
  }

  deinit { stop() }

  /// Starts again on the same folder and ports.
  func restart() throws {
    let port = { (url: String) in String(url.split(separator: ":").last ?? "0") }
    (process, _, _, _) = try Self.start(data, ports: (port(device), port(admin), port(ops)))
  }

  /// Ends it as Ctrl-C does, and waits; a PostgreSQL that a test took from it ends too.
  func stop() {
    process.signal(SIGTERM)
    process.waitForEnd()
    guard let postmaster = try? postmaster,
      // Not a stranger who was given the number since.
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(postmaster)/cwd"))
        == data + "/postgres/postgres"
    else { return }
    signal(SIGQUIT, [postmaster])
    Self.waitForEnd(of: postmaster)
  }

  /// Ends it as a power cut does.
  func kill() {
    process.signal(SIGKILL)
    process.waitForEnd()
  }

  /// The process id of its PostgreSQL.
  var postmaster: Int32 {
    get throws {
      let text = try String(contentsOfFile: data + "/postgres/postgres/postmaster.pid", encoding: .utf8)
      guard let line = text.split(separator: "\n").first, let pid = Int32(line) else {
        throw Shell.Failure("no postmaster.pid")
      }
      return pid
    }
  }

  private static func start(
    _ data: String, ports: (String, String, String), under command: [String] = []
  ) throws -> (Program, device: String, admin: String, ops: String) {
    let log = ProcessInfo.processInfo.environment["USHER_TEST_LOG"] ?? data + ".log"
    // The server must not outlive a test run that is killed: a watcher ends it when our end of its input closes.
    let script = #"exec 3<&0; (cat <&3; kill -TERM $$) >/dev/null 2>&1 & exec "$@" </dev/null 3<&-"#
    let process = try Program(
      "sh",
      [
        "-c", script, "usher",
      ] + command + [
        usher, "dev", "--data", data, "--device-port", ports.0, "--admin-port", ports.1, "--ops-port",
        ports.2,
      ], input: .pipe, output: .pipe, errors: .file(log))
    let line = process.receivedLine()
    guard line.hasPrefix("ready ") else {
      throw Shell.Failure(
        "usher dev did not start: \((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
    }
    var values: [Substring: String] = [:]
    for word in line.dropLast().split(separator: " ").dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1)
      values[parts[0]] = String(parts[1])
    }
    return (process, values["device"] ?? "", values["admin"] ?? "", values["ops"] ?? "")
  }
}
