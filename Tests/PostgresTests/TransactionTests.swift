import Fixtures
import Reactor
import Testing

@testable import Postgres

@Suite struct TransactionTests {
  private struct Change: Error {}

  private func withItems(_ body: (PostgresClient) async throws -> Void) async throws {
    try await Fixture.withClient {
      $0.writeConnections = 1
    } _: { client async throws in
      _ = try await client.commit(CreateItems())
      try await body(client)
      // Whatever happened, the one connection is as good as new.
      #expect(try await client.commit(Setting(name: "transaction_read_only")) == ["off"])
      #expect(try await client.transaction { try await $0.run(Divide(number: 3)) } == [3])
    }
  }

  @Test func `what a transaction did is there when it returns, and was not before`() async throws {
    try await withItems { client async throws in
      let count = try await client.transaction { transaction async throws in
        _ = try await transaction.run(AddItem(id: 1))
        _ = try await transaction.run(AddItem(id: 2))
        #expect(try await client.read(CountItems()) == [0])
        return try await transaction.run(CountItems())
      }
      #expect(count == [2])
      #expect(try await client.read(CountItems()) == [2])
    }
  }

  @Test func `a transaction that throws did nothing`() async throws {
    try await withItems { client async throws in
      await #expect(throws: Change.self) {
        try await client.transaction { transaction async throws in
          _ = try await transaction.run(AddItem(id: 1))
          throw Change()
        }
      }
      let items = try await client.read(CountItems())
      #expect(items == [0])
    }
  }

  @Test func `a transaction whose task is cancelled did nothing`() async throws {
    try await withItems { client async throws in
      let task = Task {
        try await client.transaction { transaction async throws in
          _ = try await transaction.run(AddItem(id: 1))
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        }
      }
      await #expect(throws: PostgresError.cancelled) { try await task.value }
      let items = try await client.read(CountItems())
      #expect(items == [0])
    }
  }

  @Test func `a transaction in which a statement failed cannot be committed`() async throws {
    try await withItems { client async throws in
      let error = await #expect(throws: PostgresError.self) {
        try await client.transaction { transaction async throws in
          _ = try await transaction.run(AddItem(id: 1))
          #expect(await transaction.refusal(of: AddItem(id: 1)) == .uniqueViolation)
          #expect(await transaction.refusal(of: AddItem(id: 2)) == .inFailedTransaction)
        }
      }
      #expect(error?.state == .inFailedTransaction)
      let items = try await client.read(CountItems())
      #expect(items == [0])
    }
  }

  @Test func `a constraint that holds at commit refuses the commit`() async throws {
    try await withItems { client async throws in
      let error = await #expect(throws: PostgresError.self) {
        try await client.transaction { _ = try await $0.run(AddItem(id: 1, parent: 9)) }
      }
      #expect(error?.state == .foreignKeyViolation)
      let items = try await client.read(CountItems())
      #expect(items == [0])
    }
  }

  @Test(arguments: [
    (Transaction.Isolation.readCommitted, "read committed"), (.repeatableRead, "repeatable read"),
    (.serializable, "serializable"),
  ])
  func `a transaction has the isolation that it asks for`(isolation: Transaction.Isolation, name: String)
    async throws
  {
    try await withItems { client async throws in
      for readOnly in [false, true] {
        let settings = try await client.transaction(isolation: isolation, readOnly: readOnly) {
          try await $0.run(Setting(name: "transaction_isolation"))
            + $0.run(Setting(name: "transaction_read_only"))
        }
        #expect(settings == [name, readOnly ? "on" : "off"])
      }
    }
  }

  @Test func `a transaction that is over runs nothing`() async throws {
    try await withItems { client async throws in
      let escaped = try await client.transaction { $0 }
      await #expect(throws: PostgresError.unavailable("the transaction is over")) {
        try await escaped.run(AddItem(id: 1))
      }
    }
  }

  @Test func `a transaction that nobody goes on with is ended by the server`() async throws {
    try await Fixture.withClient {
      $0.writeConnections = 1
      $0.idleInTransactionTimeout = .milliseconds(100)
    } _: { client async throws in
      _ = try await client.commit(CreateItems())
      await #expect(throws: PostgresError.self) {
        try await client.transaction { transaction async throws in
          _ = try await transaction.run(AddItem(id: 1))
          _ = try await client.read(Sleep(seconds: 0.5))
          _ = try await transaction.run(AddItem(id: 2))
        }
      }
      #expect(try await client.commit(CountItems()) == [0])
    }
  }
}

extension Transaction {
  /// The state with which a statement is refused; nil when it is not.
  fileprivate func refusal(of statement: some Statement) async -> SQLState? {
    do throws(PostgresError) {
      _ = try await run(statement)
      return nil
    } catch { return error.state }
  }
}
