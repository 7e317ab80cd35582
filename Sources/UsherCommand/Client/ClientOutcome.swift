internal import UsherClient

/// How the client's operations end as commands.
enum ClientOutcome {
  /// Runs an operation and prints what it results in.
  ///
  /// A refusal's problem goes to standard error; as JSON and alone unless told otherwise, so that a program can read it.
  static func tell(
    _ terminal: Terminal, refusal: (Problem) -> String = \.json,
    _ operation: () async throws(ClientError) -> String?
  ) async throws(CommandFailure) -> ExitCode {
    do throws(ClientError) {
      if let result = try await operation() { terminal.print(result) }
      return .success
    } catch {
      switch error {
      case .refused(let problem):
        terminal.error(refusal(problem))
        return .refused
      case .cannotTell(let reason, let seconds):
        throw CommandFailure(
          reason + (seconds.map { "; try again in \($0) seconds" } ?? ""), exitCode: .unknown)
      case .cancelled, .unusable: throw CommandFailure(error)
      }
    }
  }
}
