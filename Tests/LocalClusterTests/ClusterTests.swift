import Fixtures
import Foundation
import LocalCluster
import Postgres
import Reactor
import Telemetry
import Testing

/// A private cluster through its whole life, with real processes and real signals.
@Suite(.timeLimit(.minutes(5))) final class ClusterTests {
  private let group: EventLoopGroup
  private let folder: TemporaryFolder
  private var loop: EventLoop { group.loops[0] }

  init() throws {
    group = try EventLoopGroup(count: 1, name: "cluster")
    folder = try TemporaryFolder()
  }

  deinit { group.shutdown() }

  private func start(
    _ durability: PostgresCluster.Durability = .relaxed, in path: String? = nil
  ) async throws -> PostgresCluster {
    var options = PostgresCluster.Options()
    options.durability = durability
    // A server may be killed here, but the machine keeps what it wrote.
    options.settings["synchronous_commit"] = "on"
    return try await PostgresCluster.start(
      in: path ?? folder.path, options: options, environment: ProcessInfo.processInfo.environment,
      logger: .silent, on: loop)
  }

  /// Runs a statement on the cluster, as often as it takes while that starts.
  @discardableResult
  private func ask(_ cluster: PostgresCluster, _ number: Int64) async throws -> Int64 {
    let client = PostgresClient.connect(try PostgresConfiguration(url: cluster.url), on: group.loops)
    while true {
      do throws(PostgresError) {
        let answer = try await client.commit(Number(number: number))
        await client.close()
        return answer.first ?? -1
      } catch { try await loop.sleep(for: .milliseconds(20)) }
    }
  }

  /// Keeps the largest number that it was given.
  struct Number: Statement {
    let number: Int64
    static var sql: StaticString {
      """
      SELECT setval('largest', greatest($1, last_value)) FROM largest
      """
    }
    func bind(_ parameters: inout Parameters) { parameters.append(number) }
    static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
  }

  private func makeSequence(_ cluster: PostgresCluster) async throws {
    let client = PostgresClient.connect(try PostgresConfiguration(url: cluster.url), on: group.loops)
    try await client.session { try await $0.simple("CREATE SEQUENCE largest") }
    await client.close()
  }

  private func run(_ script: String, _ arguments: String...) async throws -> String {
    let completed = try await ChildProcess.run(.init("sh", ["-c", script] + arguments), on: loop)
    return String(decoding: completed.output, as: UTF8.self)
  }

  @Test func `a cluster starts, keeps what it was given, stops, and starts again`() async throws {
    let watchdog = try await ClusterWatchdog.start(over: folder.path, on: loop)
    let first = try await start(.full)
    try await makeSequence(first)
    #expect(try await ask(first, 5) == 5)
    await first.stop()
    #expect(try await run("pgrep -f -- \"-D $0\"; true", folder.path) == "")
    #expect(!FileManager.default.fileExists(atPath: first.socketFolder))

    let second = try await start()
    #expect(second.url == first.url)
    #expect(try await ask(second, 3) == 5)
    await second.stop()
    _ = consume watchdog
  }

  @Test func `only its own account gets at the socket, and nothing listens on the network`() async throws {
    let watchdog = try await ClusterWatchdog.start(over: folder.path, on: loop)
    let cluster = try await start()
    #expect(cluster.socketFolder.utf8.count + "/.s.PGSQL.5432".utf8.count <= 107)
    let mode =
      try FileManager.default.attributesOfItem(atPath: cluster.socketFolder)[.posixPermissions] as? NSNumber
    #expect(mode == 0o700)
    let process = await cluster.processID
    #expect(try await run("ls -l /proc/$0/fd | grep -c 'socket:'", "\(process)").contains("1"))
    #expect(try await run("grep -l $(printf ':%04X' 5432) /proc/$0/net/tcp | head -c 0", "\(process)") == "")
    await cluster.stop()
    _ = consume watchdog
  }

  @Test func `one that is killed is started again, with everything that was committed`() async throws {
    let watchdog = try await ClusterWatchdog.start(over: folder.path, on: loop)
    let cluster = try await start()
    let supervision = Task { await cluster.run() }
    try await makeSequence(cluster)
    try await ask(cluster, 9)
    for _ in 0..<2 {
      let process = await cluster.processID
      _ = try await run("kill -KILL $0", "\(process)")
      #expect(try await ask(cluster, 1) == 9)
      #expect(await cluster.processID != process)
    }
    supervision.cancel()
    await supervision.value
    #expect(try await run("pgrep -f -- \"-D $0\"; true", folder.path) == "")
    _ = consume watchdog
  }

  @Test func `one that is stopped by hand stays so, until the next start`() async throws {
    let watchdog = try await ClusterWatchdog.start(over: folder.path, on: loop)
    let cluster = try await start()
    let supervision = Task { await cluster.run() }
    let process = await cluster.processID
    // What pg_ctl stop does.
    _ = try await run("kill -INT $0; while kill -0 $0; do sleep 0.05; done", "\(process)")
    try await loop.sleep(for: .milliseconds(300))
    #expect(await cluster.processID == process)
    #expect(try await run("pgrep -f -- \"-D $0\"; true", folder.path) == "")
    supervision.cancel()
    await supervision.value

    let again = try await start()
    await again.stop()
    _ = consume watchdog
  }

  @Test func `one that somebody has frozen ends in order all the same`() async throws {
    let watchdog = try await ClusterWatchdog.start(over: folder.path, on: loop)
    let cluster = try await start()
    let supervision = Task { await cluster.run() }
    _ = try await run("kill -STOP $0", "\(await cluster.processID)")
    supervision.cancel()
    await supervision.value
    #expect(try await run("pgrep -f -- \"-D $0\"; true", folder.path) == "")
    #expect(try await run("tail -n 1 $0/postgres.log", folder.path).contains("shut down"))
    _ = consume watchdog
  }

  @Test func `one whose owner was killed is adopted, and then supervised as any other`() async throws {
    let watchdog = try await ClusterWatchdog.start(over: folder.path, on: loop)
    // An owner that is let go of without a stop is to the server what one is that was killed.
    var orphan: Int32 = 0
    do {
      let owner = try await start()
      try await makeSequence(owner)
      orphan = await owner.processID
    }
    let adopter = try await start()
    #expect(await adopter.processID == orphan)
    #expect(try await ask(adopter, 4) == 4)
    let supervision = Task { await adopter.run() }
    _ = try await run("kill -KILL $0", "\(orphan)")
    #expect(try await ask(adopter, 1) == 4)
    supervision.cancel()
    await supervision.value
    _ = consume watchdog
  }

  @Test func `a stranger with the number of a killed server is neither adopted nor hurt`() async throws {
    let watchdog = try await ClusterWatchdog.start(over: folder.path, on: loop)
    let first = try await start()
    _ = try await run("kill -KILL $0; while kill -0 $0; do sleep 0.05; done", "\(await first.processID)")
    await first.stop()
    let stranger = try await ChildProcess.spawn(.init("sleep", ["600"], output: .discard), on: loop)
    _ = try await run("sed -i 1s/.*/$1/ $0/postgres/postmaster.pid", folder.path, "\(stranger.processID)")

    let second = try await start()
    #expect(await second.processID != stranger.processID)
    #expect(stranger.exitStatus == nil)
    await second.stop()
    #expect(stranger.exitStatus == nil)
    try stranger.signal(9)
    _ = consume watchdog
  }

  // MARK: What cannot be

  @Test func `two owners of one folder cannot be`() async throws {
    let watchdog = try await ClusterWatchdog.start(over: folder.path, on: loop)
    let cluster = try await start()
    await #expect(throws: ClusterError.inUse(folder.path)) { try await start() }
    await cluster.stop()
    _ = consume watchdog
  }

  @Test func `a folder that is not ours is refused and not touched`() async throws {
    try folder.write("precious", to: "data.txt")
    let data = "\(folder.path)/postgres"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
    try folder.write("15\n", to: "postgres/PG_VERSION")
    await #expect(throws: ClusterError.foreign(data)) { try await start() }
    #expect(try String(contentsOfFile: "\(folder.path)/data.txt", encoding: .utf8) == "precious")
  }

  @Test func `a cluster of another major version is refused by number`() async throws {
    let data = "\(folder.path)/postgres"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
    try folder.write("9\n", to: "postgres/PG_VERSION")
    try folder.write("1\n", to: "postgres/usher-cluster")
    let error = await #expect(throws: ClusterError.self) { try await start() }
    guard case .otherVersion(data, made: 9, _) = error else { throw try #require(error) }
    #expect(error?.description.contains("install postgresql-9") == true)
  }

  @Test func `a folder that cannot be made is refused in one line`() async throws {
    try folder.write("", to: "file")
    let error = await #expect(throws: ClusterError.self) {
      try await start(in: "\(folder.path)/file/cluster")
    }
    #expect(error?.description.contains("Not a directory") == true)
    #expect(error?.description.contains("\n") == false)
  }

  @Test func `an interrupted beginning is begun again`() async throws {
    let watchdog = try await ClusterWatchdog.start(over: folder.path, on: loop)
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/postgres.new/base", withIntermediateDirectories: true)
    let cluster = try await start()
    await cluster.stop()
    _ = consume watchdog
  }
}
