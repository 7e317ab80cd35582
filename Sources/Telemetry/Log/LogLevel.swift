/// How much a line matters, lowest first.
public enum LogLevel: String, Sendable, Comparable, CaseIterable {
  /// For whoever reads the code beside the log.
  case debug
  /// What an operator expects to happen.
  case info
  /// Worth a look, nothing is lost.
  case warning
  /// Something asked for could not be done.
  case error

  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }
}
