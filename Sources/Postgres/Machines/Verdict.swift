/// What became of an operation on a connection.
enum Verdict: Equatable {
  case succeeded
  /// It succeeded, but the server warned while it committed: what a commit promises may not hold.
  case doubtful(String)
  case failed(PostgresError)
  /// It was not run because another operation of its group failed. It may be sent again.
  case notRun
  /// It was sent, and the connection was lost before its Sync was answered.
  case lost(PostgresError)
  /// The connection was lost before it was sent.
  case notSent(PostgresError)
}
