import Fixtures
import Reactor
import Testing

@testable import Postgres

/// The client against a real server that is well.
@Suite struct ClientTests {
  private func withItems<R: Sendable>(
    configure: (inout PostgresConfiguration) -> Void = { _ in },
    _ body: (PostgresClient) async throws -> R
  ) async throws -> R {
    try await Fixture.withClient(configure: configure) { client async throws in
      _ = try await client.commit(CreateItems())
      return try await body(client)
    }
  }

  // MARK: Look-ups

  @Test func `thousands of look-ups at once get each their own answer`() async throws {
    try await Fixture.withClient { client async throws in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 1...4000 as ClosedRange<Int64> {
          group.addTask { try await client.read(Divide(number: number)) == [number] }
        }
        for try await isRight in group { #expect(isRight) }
      }
    }
  }

  @Test func `a look-up that fails takes no other with it`() async throws {
    try await Fixture.withClient(loops: 1) { client async throws in
      let answers = await withTaskGroup(of: (Int64, Result<[Int64], PostgresError>).self) { group in
        for number in 0..<200 as Range<Int64> {
          group.addTask {
            // Every tenth fails.
            let divisor = number % 10 == 0 ? 0 : number
            do throws(PostgresError) {
              return (number, .success(try await client.read(Divide(number: divisor))))
            } catch { return (number, .failure(error)) }
          }
        }
        return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      for (number, answer) in answers {
        if number % 10 == 0 {
          #expect(throws: PostgresError.self) { try answer.get() }
        } else {
          #expect(try answer.get() == [number])
        }
      }
    }
  }

  @Test func `a look-up cannot change anything`() async throws {
    try await withItems { client async throws in
      let error = await #expect(throws: PostgresError.self) { try await client.read(AddItemInLookup()) }
      #expect(error?.reason.contains("read-only") == true)
      #expect(try await client.read(CountItems()) == [0])
    }
  }

  @Test func `an answer of many megabytes arrives whole`() async throws {
    try await Fixture.withClient { client async throws in
      let rows = try await client.read(ManyRows())
      #expect(rows.count == 100_000)
      #expect(rows.last == String(repeating: "x", count: 100) + "100000")
    }
  }

  struct ManyRows: Statement {
    static var sql: StaticString { "SELECT repeat('x', 100) || n FROM generate_series(1, 100000) AS n" }
    static func row(_ columns: borrowing Columns) throws(PostgresError) -> String { try columns.string(0) }
  }

  @Test func `a batch of many megabytes is sent whole`() async throws {
    try await Fixture.withClient { client async throws in
      let numbers = (0..<200_000).map(Int64.init)
      #expect(try await client.read(Sum(numbers: numbers)) == [numbers.reduce(0, +)])
    }
  }

  struct Sum: Statement {
    let numbers: [Int64]
    static var sql: StaticString { "SELECT sum(n)::bigint FROM unnest($1) AS n" }
    func bind(_ parameters: inout Parameters) { parameters.append(numbers) }
    static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
  }

  // MARK: Commits

  @Test func `a commit returns its rows, and is there`() async throws {
    try await withItems { client async throws in
      #expect(try await client.commit(AddItem(id: 7)) == [7])
      #expect(try await client.read(CountItems()) == [1])
    }
  }

  @Test func `a refused commit says which constraint, also one that holds only at commit`() async throws {
    try await withItems { client async throws in
      _ = try await client.commit(AddItem(id: 1))
      let twice = await #expect(throws: PostgresError.self) { try await client.commit(AddItem(id: 1)) }
      #expect(twice?.state == .uniqueViolation && twice?.constraint == "item_pkey")
      let negative = await #expect(throws: PostgresError.self) { try await client.commit(AddItem(id: -1)) }
      #expect(negative?.state == .checkViolation)
      let orphan = await #expect(throws: PostgresError.self) {
        try await client.commit(AddItem(id: 2, parent: 99))
      }
      #expect(orphan?.state == .foreignKeyViolation && orphan?.constraint == "item_parent")
      #expect(try await client.read(CountItems()) == [1])
    }
  }

  @Test func `a commit that the server warned of is not acknowledged`() async throws {
    try await Fixture.withClient { client async throws in
      try await client.session {
        try await $0.simple(
          "CREATE FUNCTION warn() RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE WARNING ''careful''; END'")
      }
      await #expect(throws: PostgresError.outcomeUnknown("careful")) { try await client.commit(Warn()) }
      #expect(try await client.read(Divide(number: 1)) == [1])
    }
  }

  @Test func `connections for commits are bounded, and who waits too long is told`() async throws {
    try await Fixture.withClient {
      $0.writeConnections = 2
      $0.acquireTimeout = .milliseconds(100)
    } _: { client async throws in
      try await Fixture.untilHealthy(client)
      let outcomes = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 {
          group.addTask { (try? await client.commit(Sleep(seconds: 0.6))) != nil }
        }
        return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(outcomes == [true: 2, false: 2])
      #expect(try await client.commit(Divide(number: 1)) == [1])
    }
  }

  @Test func `a statement or a lock that takes too long is given up, and costs no connection`() async throws {
    try await withItems {
      $0.statementTimeout = .milliseconds(200)
      $0.lockTimeout = .milliseconds(50)
      $0.writeConnections = 2
    } _: { client async throws in
      await #expect(throws: PostgresError.timedOut) { try await client.read(Sleep(seconds: 3)) }
      await #expect(throws: PostgresError.timedOut) { try await client.commit(Sleep(seconds: 3)) }
      try await client.transaction { transaction async throws in
        _ = try await transaction.run(LockItems())
        let error = await #expect(throws: PostgresError.self) { try await client.commit(AddItem(id: 1)) }
        #expect(error?.state == .lockNotAvailable)
      }
      #expect(client.isHealthy)
    }
  }

  struct LockItems: Statement {
    typealias Row = Void
    static var sql: StaticString { "LOCK TABLE item" }
  }

  // MARK: Migrations under a running client

  @Test func `a table that changes under its statements is no error`() async throws {
    try await withItems { client async throws in
      _ = try await client.commit(AddItem(id: 1))
      #expect(try await client.read(AllOfItems()) == [3])
      #expect(try await client.commit(AllOfItems()) == [3])
      try await client.session { try await $0.simple("ALTER TABLE item ADD COLUMN more bigint") }
      #expect(try await client.read(AllOfItems()) == [4])
      #expect(try await client.commit(AllOfItems()) == [4])
    }
  }

  @Test func `a statement that cannot be prepared works once it can`() async throws {
    try await Fixture.withClient { client async throws in
      for _ in 0..<2 {
        let error = await #expect(throws: PostgresError.self) { try await client.read(CountItems()) }
        #expect(error?.state == .undefinedTable)
      }
      _ = try await client.commit(CreateItems())
      #expect(try await client.read(CountItems()) == [0])
    }
  }

  // MARK: Sessions

  @Test func `a session runs many statements as text, and copies`() async throws {
    try await withItems { client async throws in
      try await client.session { session async throws in
        try await session.simple("INSERT INTO item VALUES (1, 'a'); INSERT INTO item VALUES (2, 'b')")
        let rows = (3...20_000).map { "\($0)\tcopied\t\\N\n" }.joined()
        try await session.copy("COPY item FROM STDIN", from: Array(rows.utf8))
        #expect(try await session.run(CountItems()) == [20_000])
        let error = await #expect(throws: PostgresError.self) {
          try await session.simple("INSERT INTO item VALUES (0, 'z'); INSERT INTO item VALUES (1, 'again')")
        }
        #expect(error?.state == .uniqueViolation)
        #expect(try await session.run(CountItems()) == [20_000])
        await #expect(throws: PostgresError.self) {
          try await session.copy("COPY item FROM STDIN", from: Array("not\ta\tnumber\n".utf8))
        }
        try await session.transaction { _ = try await $0.run(AddItem(id: 0)) }
        #expect(try await session.run(CountItems()) == [20_001])
      }
    }
  }

  @Test func `a session may take long and keeps its settings to itself`() async throws {
    try await Fixture.withClient {
      $0.statementTimeout = .milliseconds(100)
    } _: { client async throws in
      try await client.session { session async throws in
        try await session.simple("SET work_mem = '7MB'; SELECT pg_sleep(0.3)")
        #expect(try await session.run(Setting(name: "work_mem")) == ["7MB"])
      }
      #expect(try await client.commit(Setting(name: "statement_timeout")) == ["100ms"])
      #expect(try await client.commit(Setting(name: "work_mem")) != ["7MB"])
      #expect(try await client.read(Setting(name: "default_transaction_read_only")) == ["on"])
    }
  }
}
