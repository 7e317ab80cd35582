/// A five-character SQLSTATE (PostgreSQL manual, appendix A): what an error is, whatever language its text is in.
public struct SQLState: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }

  /// The first two characters: `23` is every broken constraint, `08` every lost connection.
  public var category: Substring { rawValue.prefix(2) }
}

extension SQLState {
  public static let uniqueViolation = SQLState(rawValue: "23505")
  public static let foreignKeyViolation = SQLState(rawValue: "23503")
  public static let checkViolation = SQLState(rawValue: "23514")
  public static let notNullViolation = SQLState(rawValue: "23502")
  public static let exclusionViolation = SQLState(rawValue: "23P01")
  public static let serializationFailure = SQLState(rawValue: "40001")
  public static let deadlockDetected = SQLState(rawValue: "40P01")
  public static let lockNotAvailable = SQLState(rawValue: "55P03")
  /// `statement_timeout` ran out, or somebody cancelled the statement.
  public static let queryCanceled = SQLState(rawValue: "57014")
  public static let undefinedTable = SQLState(rawValue: "42P01")
  public static let duplicateDatabase = SQLState(rawValue: "42P04")
  /// A statement after one that failed, in the same transaction.
  public static let inFailedTransaction = SQLState(rawValue: "25P02")
  /// The server is a standby, or the session may only read.
  public static let readOnlyTransaction = SQLState(rawValue: "25006")
  /// A prepared statement that the server does not know (any more).
  public static let invalidStatementName = SQLState(rawValue: "26000")
  /// Among others, "cached plan must not change result type": a migration passed under a prepared statement.
  public static let featureNotSupported = SQLState(rawValue: "0A000")
  public static let diskFull = SQLState(rawValue: "53100")
  public static let tooManyConnections = SQLState(rawValue: "53300")
  public static let invalidPassword = SQLState(rawValue: "28P01")
}
