extension ChildProcess {
  /// How a process ended.
  public enum ExitStatus: Sendable, Hashable, CustomStringConvertible {
    /// It ended by itself, with this code.
    case exited(Int32)
    /// This signal ended it.
    case signaled(Int32)
    /// It was not our child, so only its parent knows.
    case unknown

    public var isSuccess: Bool { self == .exited(0) }

    public var description: String {
      switch self {
      case .exited(let code): "exit code \(code)"
      case .signaled(let signal): "signal \(signal)"
      case .unknown: "ended"
      }
    }
  }
}
