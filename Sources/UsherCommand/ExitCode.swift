/// How the program ends.
enum ExitCode: Int32, Sendable {
  case success = 0
  /// Anything that has no code of its own.
  case failure = 1
  /// The server said no, and a problem on standard error says why.
  case refused = 3
  /// The server could not be asked, or could not tell.
  case unknown = 4
}
