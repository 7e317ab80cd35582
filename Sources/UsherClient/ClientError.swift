/// Why an operation of the client came to nothing, told apart by what an app does about it.
public enum ClientError: Error, Sendable, CustomStringConvertible {
  /// The server said no: show the problem, do not try again at once.
  case refused(Problem)
  /// Nobody said no, and nobody said yes: the server is busy, broken, not the one it should be, or cannot be reached.
  ///
  /// Work on until the seat's `validUntil`, and try again after `retryAfter` seconds (nil: the server gave no time) with
  /// jitter.
  case cannotTell(reason: String, retryAfter: Int?)
  /// The task was cancelled; the operation may or may not have happened.
  case cancelled
  /// Something on this machine is wrong: a file, a key, a URL.
  case unusable(String)

  public var description: String {
    switch self {
    case .refused(let problem): problem.description
    case .cannotTell(let reason, _): reason
    case .cancelled: "the operation was cancelled"
    case .unusable(let reason): reason
    }
  }
}
