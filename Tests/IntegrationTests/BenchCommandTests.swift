import Fixtures
import Foundation
import Testing

/// `usher bench` against a server, as a user starts it.
struct BenchCommandTests {
  private let server: Installation
  private let folder: TemporaryFolder

  init() throws {
    server = try Installation.shared.get()
    folder = try TemporaryFolder()
  }

  private func arguments(_ work: String, seconds: Int = 1, _ more: [String]) -> [String] {
    ["bench", work, "--data", server.data, "--seconds", "\(seconds)", "--cache", folder.path + "/cache"]
      + more
  }

  private var organizations: String {
    get throws { try server.call("GET", "/v1/organizations?limit=500").body }
  }

  @Test(
    arguments: [
      ("handshake", ["connect"]), ("resume", ["resume"]), ("check", ["check"]),
      ("claim", ["claim", "release"]),
      ("renew", ["renew"]), ("mixed", ["connect", "claim", "check"]), ("idle", []), ("enroll", ["enroll"]),
    ] as [(String, [String])])
  func `each kind of work succeeds, is counted, and leaves nothing on the server`(
    work: String, operations: [String]
  ) throws {
    let page = folder.path + "/page.html"
    let run = try Shell.run(
      Installation.usher,
      arguments(
        work, seconds: 2,
        ["--connections", "4", "--identities", "6", "--organizations", "2", "--json", "--html", page]))
    #expect(run.status == 0, "\(run)")
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any], "\(run.output)")
    let counted = try #require(report["operations"] as? [String: [String: Any]])
    for operation in operations {
      let figures = try #require(counted[operation], "\(operation): \(run.output)")
      #expect((figures["count"] as? Int ?? 0) > 0 && (figures["failures"] as? [String: Int])?.isEmpty == true)
      #expect(
        (figures["p50"] as? Int ?? 0) > 0 && (figures["max"] as? Int ?? 0) >= (figures["p99"] as? Int ?? 1))
    }
    if work != "idle" { #expect((report["serverNanosecondsPerOperation"] as? Double ?? 0) > 0) }
    if work == "idle" { #expect(report["serverBytesPerConnection"] is Double) }
    let charts = try String(contentsOfFile: page, encoding: .utf8)
    #expect(charts.contains("<svg") && charts.contains("server descriptors"))
    let timeline = try #require(report["timeline"] as? [[String: Any]])
    #expect(timeline.allSatisfy { ($0["serverDescriptors"] as? Int ?? 0) > 0 })
    #expect(try !organizations.contains("bench-"))
  }

  @Test func `with a rate, so many operations are begun, and no more`() throws {
    let run = try Shell.run(
      Installation.usher, arguments("check", ["--connections", "4", "--rate", "50", "--json"]))
    let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let checks = (report?["operations"] as? [String: [String: Any]])?["check"]
    #expect(checks?["count"] as? Int == 50, "\(run)")
  }

  @Test func `what a server held up until the end is counted too`() throws {
    let command = arguments("check", seconds: 2, ["--connections", "4", "--rate", "50", "--json"])
    let program = try Program(
      "sh", ["-c", "exec \"$0\" \"$@\" 2>&1 >\(folder.path)/held", Installation.usher] + command,
      output: .pipe)
    func hears(_ word: String) -> Bool {
      while case let line = program.receivedLine(), !line.isEmpty { if line.contains(word) { return true } }
      return false
    }
    #expect(hears("1 s "))
    server.process.signal(SIGSTOP)
    let isOver = hears("2 s ")
    server.process.signal(SIGCONT)
    #expect(isOver && program.waitForEnd() == .exit(0))
    let report = try JSONSerialization.jsonObject(with: Data(folder.read("held"))) as? [String: Any]
    let checks = (report?["operations"] as? [String: [String: Any]])?["check"]
    #expect(checks?["count"] as? Int == 100, "\(report ?? [:])")
  }

  @Test func `figures are told though nothing can be cleaned up any more`() throws {
    let doomed = try Installation()
    let program = try Program(
      "sh",
      [
        "-c", "exec \"$0\" \"$@\" 2>&1 >\(folder.path)/figures", Installation.usher, "bench", "check",
        "--data", doomed.data, "--seconds", "2", "--connections", "2", "--json", "--cache",
        folder.path + "/cache",
      ], output: .pipe)
    while case let line = program.receivedLine(), !line.isEmpty, !line.contains("1 s ") {}
    doomed.kill()
    #expect(program.waitForEnd() == .exit(1))
    let report = try JSONSerialization.jsonObject(with: Data(folder.read("figures"))) as? [String: Any]
    let checks = (report?["operations"] as? [String: [String: Any]])?["check"]
    #expect(checks?["count"] as? Int ?? 0 > 0, "\(report ?? [:])")
  }

  @Test func `Ctrl-C ends it, with its figures, and it cleans up`() throws {
    let command = arguments("check", seconds: 600, ["--connections", "2"])
    // What it says while it runs comes through the pipe, its figures go to a file.
    let program = try Program(
      "sh", ["-c", "exec \"$0\" \"$@\" 2>&1 >\(folder.path)/out", Installation.usher] + command, output: .pipe
    )
    while case let line = program.receivedLine(), !line.isEmpty, !line.contains("/s") {}
    program.signal(SIGINT)
    #expect(program.waitForEnd() == .exit(0))
    #expect(try String(decoding: folder.read("out"), as: UTF8.self).contains("no failures"))
    #expect(try !organizations.contains("bench-"))
  }

  @Test func `a device that was enrolled can be played without an admin's token`() throws {
    let tenant = try server.makeTenant()
    let device = try tenant.enroll("laptop")
    let identity = folder.path + "/identity"
    try FileManager.default.createDirectory(atPath: identity, withIntermediateDirectories: true)
    for (from, to) in [
      (device.key, "key.pem"), (device.certificate, "chain.pem"), (server.serverCA, "server-ca.pem"),
    ] {
      try FileManager.default.copyItem(atPath: from, toPath: "\(identity)/\(to)")
    }
    try #"{"deviceURL": "\#(server.device)", "organization": "\#(tenant.slug)", "identity": "laptop"}"#
      .write(toFile: identity + "/identity.json", atomically: true, encoding: .utf8)
    let run = try Shell.run(
      Installation.usher,
      [
        "bench", "renew", "--identity", identity, "--product", tenant.product, "--seconds", "1",
        "--connections", "2",
      ])
    #expect(run.status == 0 && run.output.contains("no failures"), "\(run)")
  }

  @Test func `what is not on this machine is not touched unless it is one's own`() throws {
    let run = try Shell.run(
      Installation.usher,
      arguments("check", ["--device-url", "https://192.0.2.1:8443", "--admin-url", "https://192.0.2.1:8444"]))
    #expect(run.status == 1 && run.errors.contains("--i-own-this-server"), "\(run)")
  }

  @Test(arguments: [
    (["swim"], "one of handshake"), (["check", "--connections", "0"], "a whole number from 1"),
    (["check", "--identity", "x"], "--product"), (["check", "--data", "/nowhere"], "usher dev"),
  ])
  func `what cannot be done is said at once`(arguments: [String], words: String) throws {
    let run = try Shell.run(Installation.usher, ["bench"] + arguments)
    #expect(run.status == 1 && run.errors.contains(words), "\(run)")
  }
}
