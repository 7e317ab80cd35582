/// Something that was asked of a connection, whatever its rows are.
class Operation {
  /// Reads the rows of its answer.
  func decode(_ result: borrowing PQResult) {}

  /// Tells whoever asked.
  func settle(_ verdict: Verdict) {}
}

/// One execution of a statement, and who waits for it.
final class Execution<S: Statement>: Operation {
  private let continuation: CheckedContinuation<Outcome<S.Row>, Never>
  private var rows: [S.Row] = []
  private var mistake: PostgresError?

  init(_ continuation: CheckedContinuation<Outcome<S.Row>, Never>) { self.continuation = continuation }

  override func decode(_ result: borrowing PQResult) {
    do throws(PostgresError) { rows = try result.rows(of: S.self) } catch { mistake = error }
  }

  override func settle(_ verdict: Verdict) {
    continuation.resume(returning: Outcome(verdict: verdict, rows: rows, mistake: mistake))
  }
}

/// What became of a statement, and its rows.
struct Outcome<Row: Sendable>: Sendable {
  let verdict: Verdict
  let rows: [Row]
  /// Why the rows could not be read, though the statement succeeded.
  let mistake: PostgresError?
}
