import Fixtures
import Foundation
import LocalCluster
import Reactor
import Testing

@testable import Postgres

/// The client against a server that is killed, stopped, full, or not the one to talk to. Each has a server of its own.
@Suite(.timeLimit(.minutes(5))) struct FaultTests {
  /// A supervised cluster, and a client of it.
  private func withServer(
    settings: [String: String] = [:], configure: (inout PostgresConfiguration) -> Void = { _ in },
    _ body: (PostgresClient, DisposableCluster) async throws -> Void
  ) async throws {
    let group = try EventLoopGroup(count: 1, name: "cluster")
    var options = PostgresCluster.Options()
    // The server is killed, but not the machine, which keeps what it wrote.
    options.durability = .relaxed
    options.settings = ["synchronous_commit": "on"].merging(settings) { $1 }
    let server = try await DisposableCluster(options: options, on: group.loops[0])
    let supervision = Task { await server.cluster.run() }
    var configuration = try PostgresConfiguration(url: server.cluster.url)
    configuration.writeConnections = 4
    // A busy machine is slow, not at fault; who tests a time-out says so.
    (configuration.acquireTimeout, configuration.connectTimeout) = (.seconds(60), .seconds(60))
    (configuration.operationTimeout, configuration.statementTimeout) = (.seconds(60), .seconds(60))
    configure(&configuration)
    do {
      try await Fixture.withClient(configuration) { client async throws in
        try await Fixture.untilHealthy(client)
        _ = try await client.commit(CreateItems())
        try await body(client, server)
      }
    } catch {
      supervision.cancel()
      await supervision.value
      throw error
    }
    supervision.cancel()
    await supervision.value
    group.shutdown()
  }

  /// Sends a signal to the server and all its processes.
  private func signal(_ name: String, _ server: DisposableCluster, on loop: EventLoop) async throws {
    let script = #"kill -"$1" "$0"; pkill -"$1" -P "$0"; true"#
    let process = await "\(server.cluster.processID)"
    let completed = try await ChildProcess.run(.init("sh", ["-c", script, process, name]), on: loop)
    #expect(completed.status.isSuccess)
  }

  @Test
  func `no commit that was acknowledged is lost when the server is killed, and nothing needs a restart`()
    async throws
  {
    let group = try EventLoopGroup(count: 1, name: "signals")
    try await withServer { client, server async throws in
      let isKilled = Lock(false)
      let outcomes = try await withThrowingTaskGroup(of: [Outcome].self) { tasks in
        for writer in 0..<8 as Range<Int64> {
          tasks.addTask {
            var outcomes: [Outcome] = []
            // Some commits after the crash as well as before.
            var acknowledgedAfter = 0
            while acknowledgedAfter < 50 {
              try Task.checkCancellation()
              let wasKilled = isKilled.withLock { $0 }
              let id = writer * 1_000_000 + Int64(outcomes.count)
              let error = await failure { () async throws(PostgresError) in
                try await client.commit(AddItem(id: id))
              }
              outcomes.append(Outcome(id: id, error: error))
              if error == nil, wasKilled { acknowledgedAfter += 1 }
            }
            return outcomes
          }
        }
        try await group.loops[0].sleep(for: .milliseconds(300))
        try await signal("KILL", server, on: group.loops[0])
        isKilled.withLock { $0 = true }
        return try await tasks.reduce(into: []) { $0 += $1 }
      }
      let stored = Set(try await client.read(AllIDs()))
      for outcome in outcomes {
        switch outcome.error {
        case nil: #expect(stored.contains(outcome.id))
        case .outcomeUnknown: break
        case .unavailable: #expect(!stored.contains(outcome.id))
        case let error?: Issue.record(error)
        }
      }
      #expect(client.isHealthy)
    }
    group.shutdown()
  }

  struct Outcome: Sendable {
    let id: Int64
    let error: PostgresError?
  }

  struct AllIDs: Statement {
    static var sql: StaticString { "SELECT id FROM item" }
    static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
  }

  @Test func `a server that is stopped holds nobody up for long, and serves again when it goes on`()
    async throws
  {
    let group = try EventLoopGroup(count: 1, name: "signals")
    try await withServer {
      $0.operationTimeout = .milliseconds(400)
      $0.connectTimeout = .milliseconds(200)
    } _: { client, server async throws in
      // Every connection knows its statements.
      _ = try await client.read(CountItems())
      try await signal("STOP", server, on: group.loops[0])
      let begin = MonotonicInstant.now
      async let commit = failure { () async throws(PostgresError) in try await client.commit(AddItem(id: 1)) }
      await #expect(throws: PostgresError.timedOut) { try await client.read(CountItems()) }
      #expect(await commit?.doubt != nil)
      #expect(begin.duration(to: .now) < .seconds(20))
      // Once its connections are dropped and no new one comes, everything fails at once.
      try await until { !client.isHealthy && begin.duration(to: .now) > .seconds(2) }
      let refused = MonotonicInstant.now
      for _ in 0..<20 {
        await #expect(throws: PostgresError.self) { try await client.read(CountItems()) }
        await #expect(throws: PostgresError.self) { try await client.commit(AddItem(id: 2)) }
      }
      // Who waits for a connection waits a minute.
      #expect(refused.duration(to: .now) < .seconds(30))
      try await signal("CONT", server, on: group.loops[0])
      try await Fixture.untilHealthy(client)
      _ = try await client.read(CountItems())
    }
    group.shutdown()
  }

  @Test
  func `sessions that the server ends are made again; look-ups do not notice, commits say what they know`()
    async throws
  {
    try await withServer {
      $0.applicationName = "ended"
    } _: { client, server async throws in
      var other = try PostgresConfiguration(url: server.cluster.url)
      other.applicationName = "ending"
      other.writeConnections = 1
      (other.acquireTimeout, other.operationTimeout) = (.seconds(60), .seconds(60))
      try await Fixture.withClient(other, loops: 1) { ender async throws in
        async let slow = failure { () async throws(PostgresError) in
          try await client.commit(Sleep(seconds: 40))
        }
        async let lookups = withThrowingTaskGroup(of: Void.self) { tasks in
          for _ in 0..<4 {
            tasks.addTask {
              for number in 1...300 as ClosedRange<Int64> {
                let answer = try await client.read(Divide(number: number))
                #expect(answer == [number])
              }
            }
          }
          try await tasks.waitForAll()
        }
        try await until { try await ender.read(Sleeping()) == [1] }
        #expect(try await ender.commit(EndSessions(application: "ended")).count >= 3)
        try await lookups
        #expect(await slow?.doubt != nil)
      }
    }
  }

  /// How many sessions are in `Sleep`.
  struct Sleeping: Statement {
    static var sql: StaticString {
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    }
    static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
  }

  @Test func `a commit that synchronous replication did not confirm is not acknowledged`() async throws {
    try await withServer(
      settings: ["synchronous_standby_names": "nobody", "synchronous_commit": "local"]
    ) { client, server async throws in
      try await client.session { try await $0.simple("ALTER DATABASE usher SET synchronous_commit = on") }
      var configuration = try PostgresConfiguration(url: server.cluster.url)
      (configuration.acquireTimeout, configuration.operationTimeout) = (.seconds(60), .seconds(60))
      try await Fixture.withClient(configuration) { strict async throws in
        async let commit = failure { () async throws(PostgresError) in try await strict.commit(AddItem(id: 1))
        }
        try await until { try await !client.read(CancelUnconfirmed()).isEmpty }
        #expect(await commit?.doubt?.contains("synchronous replication") == true)
      }
    }
  }

  struct CancelUnconfirmed: Statement {
    static var sql: StaticString {
      "SELECT pid::bigint FROM pg_stat_activity, pg_cancel_backend(pid) WHERE wait_event = 'SyncRep'"
    }
    static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
  }

  @Test func `a standby is not served, and left when it is found to be one`() async throws {
    let group = try EventLoopGroup(count: 1, name: "standby")
    let loop = group.loops[0]
    try await withServer { client, primary async throws in
      let folder = try TemporaryFolder()
      let account = try #require(ownerOf("\(primary.folder.path)/postgres"))
      let backup = #"""
        install -d -o "$2" -m 700 "$1/postgres"
        run="" && [ "$(id -u)" = 0 ] && run="setpriv --reuid=$2 --clear-groups --regid=$2 --inh-caps=+dac_read_search
          --ambient-caps=+dac_read_search"
        $run $(ls -d /usr/lib/postgresql/*/bin | tail -1)/pg_basebackup -c fast -h "$0" -U usher -D "$1/postgres" -R
        """#
      let script = ["-c", backup, primary.cluster.socketFolder, folder.path, account]
      let completed = try await ChildProcess.run(.init("sh", script), on: loop)
      try #require(completed.status.isSuccess, "\(String(decoding: completed.output, as: UTF8.self))")
      let standby = try await DisposableCluster(in: folder, on: loop)
      let supervision = Task { await standby.cluster.run() }

      var configuration = try PostgresConfiguration(url: standby.cluster.url)
      (configuration.acquireTimeout, configuration.connectTimeout) = (.seconds(60), .seconds(60))
      try await Fixture.withClient(configuration) { onlyStandby async throws in
        let refused = await failure { () async throws(PostgresError) in
          try await onlyStandby.read(CountItems())
        }
        #expect(refused?.reason.contains("read-only") == true)
      }
      // Of two hosts it takes the one that can be written.
      configuration.hosts += try PostgresConfiguration(url: primary.cluster.url).hosts
      try await Fixture.withClient(configuration) { both async throws in
        _ = try await both.commit(AddItem(id: 1))
        #expect(try await both.read(CountItems()) == [1])
      }
      // Whoever does not mind reads from a standby, which says so.
      configuration.hosts.removeLast()
      configuration.targetSession = .any
      try await Fixture.withClient(configuration) { any async throws in
        #expect(try await any.read(InRecovery()) == [true])
        let refused = await failure { () async throws(PostgresError) in try await any.commit(AddItem(id: 2)) }
        if case .unavailable = refused {} else { Issue.record("\(String(describing: refused))") }
      }
      supervision.cancel()
      await supervision.value
    }
    group.shutdown()
  }

  struct InRecovery: Statement {
    static var sql: StaticString { "SELECT pg_is_in_recovery()" }
    static func row(_ columns: borrowing Columns) throws(PostgresError) -> Bool { try columns.bool(0) }
  }

  @Test func `a server with too few connections serves with those that it has`() async throws {
    try await withServer(
      settings: ["max_connections": "5", "superuser_reserved_connections": "0"]) {
        $0.writeConnections = 6
      } _: { client, _ async throws in
        #expect(client.isHealthy)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
          for id in 0..<50 as Range<Int64> {
            tasks.addTask { _ = try await client.commit(AddItem(id: id)) }
          }
          try await tasks.waitForAll()
        }
        #expect(try await client.read(CountItems()) == [50])
      }
  }

  /// The number of the OS user who owns a file.
  private func ownerOf(_ path: String) -> String? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.ownerAccountID] as? NSNumber)?.stringValue
  }
}
