/// A subcommand: parsed arguments that can run.
protocol Command: Sendable {
  static var name: String { get }
  /// One line for the overview.
  static var summary: String { get }
  /// What its own help says below the usage.
  static var discussion: String { get }
  /// In the order of the help.
  static var arguments: [any Argument] { get }

  init(_ given: GivenArguments) throws(UsageError)

  /// Results go to `terminal.print`, all else to standard error.
  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode
}
