/// What the database can answer instead of rows.
public enum PostgresError: Error, Sendable, Equatable {
  /// Nothing was done: there is no connection, it was lost before a commit was sent, or the server has no room.
  case unavailable(String)
  /// It may or may not have been done: the commit was sent, and no clean acknowledgement came back.
  case outcomeUnknown(String)
  /// The server refused; nothing of this transaction was done.
  case server(SQLState, message: String, constraint: String?, detail: String?)
  /// An answer that the statement does not understand: a fault of ours.
  case decoding(String)
  /// Not done in time: the server gave the statement up, or did not answer a look-up.
  case timedOut
  /// The task was cancelled; its transaction was rolled back.
  case cancelled
}

extension PostgresError {
  /// The SQLSTATE, when it is the server that refused.
  public var state: SQLState? {
    if case .server(let state, _, _, _) = self { state } else { nil }
  }

  /// The name of the constraint that the server refused to break.
  public var constraint: String? {
    if case .server(_, _, let constraint, _) = self { constraint } else { nil }
  }

  /// Why, without saying again that it is unavailable.
  var reason: String {
    if case .unavailable(let reason) = self { reason } else { description }
  }

  /// The server no longer knows the prepared statement, or a migration changed what it returns: nothing was done, and
  /// preparing it again helps.
  var isStaleStatement: Bool { state == .invalidStatementName || state == .featureNotSupported }

  /// The same in the terms of whoever asked: a server that cannot serve now is unavailable, whatever its reason.
  var whenRefused: PostgresError {
    if state == .queryCanceled { return .timedOut }
    return endsConnection || state?.category == "53" ? .unavailable(description) : self
  }

  /// The server is there but is not the one to talk to, or is going away: the connection is of no use any more.
  var endsConnection: Bool {
    guard let state else { return false }
    return state == .readOnlyTransaction || state.category == "08"
      || ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(state.rawValue)
  }
}

extension PostgresError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unavailable(let reason): "the database is unavailable: \(reason)"
    case .outcomeUnknown(let reason): "the outcome of the commit is unknown: \(reason)"
    case .server(let state, let message, _, let detail):
      "\(message) (SQLSTATE \(state))" + (detail.map { ": \($0)" } ?? "")
    case .decoding(let reason): "the answer cannot be read: \(reason)"
    case .timedOut: "the database did not answer in time"
    case .cancelled: "the task was cancelled"
    }
  }
}
