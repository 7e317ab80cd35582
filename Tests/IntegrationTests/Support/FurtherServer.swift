import Fixtures
import Foundation
import Reactor

/// One more server of an installation's database: `usher serve` with the configuration of `usher dev`, on ports of its
/// own.
final class FurtherServer {
  let installation: Installation
  let device: String
  let admin: String
  let ops: String
  let adminURL: String
  /// The device listener's.
  let port: UInt16
  private(set) var process: Program
  private let command: [String]
  private let log: String

  /// `database` is another way to the same database, `settings` are members of the configuration.
  init(
    of installation: Installation, database: String? = nil, settings: [String: Any] = [:],
    environment: [String: String] = [:]
  ) throws {
    self.installation = installation
    let data = try Data(contentsOf: URL(fileURLWithPath: installation.data + "/usher.json"))
    guard var root = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      var listeners = root["listeners"] as? [[String: Any]]
    else { throw Shell.Failure("usher.json has no listeners") }
    let ports = try listeners.map { _ in
      try ListeningSocket.open(host: "localhost", port: 0).first?.address.port ?? 0
    }
    for (index, port) in ports.enumerated() { listeners[index]["port"] = Int(port) }
    root["listeners"] = listeners
    if let database { root["database"] = ["url": database] }
    root.merge(settings) { $1 }
    let name = "further-" + UUID().uuidString
    let file = try installation.folder.write(ExternalCA.json(root), to: name + ".json")
    port = ports[0]
    device = "https://localhost:\(ports[0])"
    admin = "https://localhost:\(ports[1])"
    ops = "http://localhost:\(ports[2])"
    adminURL = "https://localhost:\(ports[1])"
    log = installation.folder.path + "/" + name + ".log"
    command =
      ["env"] + environment.map { "\($0.key)=\($0.value)" }
      + [Installation.usher, "serve", "--config", file]
    process = try Self.start(command, log)
    do { try waits(untilReady: true) } catch { throw Shell.Failure("\(error): \(said)") }
  }

  // As in `Installation`: it must not outlive a test run that is killed.
  private static func start(_ command: [String], _ log: String) throws -> Program {
    let script = #"exec 3<&0; (cat <&3; kill -TERM $$) >/dev/null 2>&1 & exec "$@" </dev/null 3<&-"#
    return try Program("sh", ["-c", script, "usher"] + command, input: .pipe, errors: .file(log))
  }

  /// Ends it as a power cut does, and starts it again.
  func crash() throws {
    process.signal(SIGKILL)
    process.waitForEnd()
    process = try Self.start(command, log)
    try waits(untilReady: true)
  }

  deinit { stop() }

  /// Ends it in order, and waits.
  func stop() {
    process.signal(SIGTERM)
    process.waitForEnd()
  }

  /// What it has written to its log.
  var said: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

  func call(_ device: Device, _ method: String, _ path: String, _ arguments: [String] = []) throws -> Answer {
    try installation.curl(
      ["--cert", device.certificate, "--key", device.key, "-X", method] + arguments + [self.device + path])
  }

  /// A call of its admin API, as an operator.
  func admin(_ method: String, _ path: String, _ json: String? = nil) throws -> Answer {
    var arguments = ["-X", method, "-H", "Authorization: Bearer \(try installation.operatorToken)"]
    if let json { arguments += ["-H", "Content-Type: application/json", "--data-binary", json] }
    return try installation.curl(arguments + [adminURL + path])
  }

  /// Asks `/readyz` again and again until it says so; its last answer.
  @discardableResult
  func waits(untilReady isReady: Bool, seconds: Int64 = 60) throws -> Answer {
    let deadline = MonotonicInstant.now.advanced(by: .seconds(seconds))
    while true {
      let answer = try installation.curl([ops + "/readyz"])
      if answer.status == (isReady ? 200 : 503) { return answer }
      guard process.isRunning, MonotonicInstant.now.duration(to: deadline) > .zero else {
        throw Shell.Failure("/readyz still says \(answer)")
      }
    }
  }
}
