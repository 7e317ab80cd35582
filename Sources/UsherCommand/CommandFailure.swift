/// Why a command ended without doing what it was asked: one clear line, and the exit code.
struct CommandFailure: Error {
  let message: String
  let exitCode: ExitCode

  init(_ message: some CustomStringConvertible, exitCode: ExitCode = .failure) {
    self.message = message.description
    self.exitCode = exitCode
  }
}
