extension PostgresConnection {
  /// Sends BEGIN with whatever comes next, and returns the number by which this transaction is known.
  func beginTransaction(_ isolation: Transaction.Isolation, readOnly: Bool) -> UInt64 {
    transaction += 1
    switch (isolation, readOnly) {
    case (.readCommitted, false): send(Operation(), Begin(), timing: .later)
    case (.readCommitted, true): send(Operation(), BeginReadOnly(), timing: .later)
    case (.repeatableRead, false): send(Operation(), BeginRepeatableRead(), timing: .later)
    case (.repeatableRead, true): send(Operation(), BeginRepeatableReadOnly(), timing: .later)
    case (.serializable, false): send(Operation(), BeginSerializable(), timing: .later)
    case (.serializable, true): send(Operation(), BeginSerializableReadOnly(), timing: .later)
    }
    return transaction
  }

  /// Runs a statement of the transaction `number`; nothing is committed yet, so a lost connection loses nothing.
  func runInTransaction<S: Statement>(
    _ number: UInt64, _ statement: S
  ) async throws(PostgresError) -> [S.Row] {
    guard number == transaction else { throw .unavailable("the transaction is over") }
    let outcome = await run(statement, timing: .joined)
    switch outcome.verdict {
    case .succeeded, .doubtful:
      if let mistake = outcome.mistake { throw mistake }
      return outcome.rows
    case .failed(let error): throw error.whenRefused
    case .notRun: throw .unavailable("the transaction did not begin")
    case .lost(.timedOut): throw .timedOut
    case .lost(let error), .notSent(let error): throw .unavailable(error.reason)
    }
  }

  func commitTransaction() async throws(PostgresError) {
    transaction += 1
    // COMMIT of a failed transaction is a ROLLBACK that says it succeeded.
    if link?.isTransactionFailed == true {
      await rollBack()
      throw .server(
        .inFailedTransaction, message: "a statement of the transaction failed", constraint: nil, detail: nil)
    }
    switch await run(Commit(), timing: .joined).verdict {
    case .succeeded: return
    case .doubtful(let warning): throw .outcomeUnknown(warning)
    case .failed(let error): throw error.whenRefused
    case .notRun: throw .unavailable("the transaction did not begin")
    case .lost(let error): throw .outcomeUnknown(error.reason)
    case .notSent(let error): throw .unavailable(error.reason)
    }
  }

  /// Ends the transaction so that nothing of it stays; a connection that cannot even do that is closed.
  func rollBack() async {
    transaction += 1
    if case .succeeded = await run(Rollback(), timing: .joined).verdict { return }
    end(.unavailable("a transaction could not be rolled back"))
  }
}

private struct Begin: Statement {
  typealias Row = Void
  static var sql: StaticString { "BEGIN" }
}

private struct BeginReadOnly: Statement {
  typealias Row = Void
  static var sql: StaticString { "BEGIN READ ONLY" }
}

private struct BeginRepeatableRead: Statement {
  typealias Row = Void
  static var sql: StaticString { "BEGIN ISOLATION LEVEL REPEATABLE READ" }
}

private struct BeginRepeatableReadOnly: Statement {
  typealias Row = Void
  static var sql: StaticString { "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" }
}

private struct BeginSerializable: Statement {
  typealias Row = Void
  static var sql: StaticString { "BEGIN ISOLATION LEVEL SERIALIZABLE" }
}

private struct BeginSerializableReadOnly: Statement {
  typealias Row = Void
  static var sql: StaticString { "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY" }
}

private struct Commit: Statement {
  typealias Row = Void
  static var sql: StaticString { "COMMIT" }
}

private struct Rollback: Statement {
  typealias Row = Void
  static var sql: StaticString { "ROLLBACK" }
}
