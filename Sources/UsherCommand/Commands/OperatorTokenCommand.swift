internal import Service

/// `usher operator-token`: a new operator token, from the machine itself.
struct OperatorTokenCommand: Command {
  static let name = "operator-token"
  static let summary = "Make an operator token, when all are lost or there is none yet"
  static let discussion = """
    Prints only the token, once: only its hash is stored. It is made in the database directly, with what the
    configuration knows, and stands in the audit trail.
    """

  private static let config = Option<String>("config", "FILE", required: true, "The configuration, JSON5")
  static let arguments: [any Argument] = [config]

  private let config: String

  init(_ given: GivenArguments) throws(UsageError) {
    config = try given.value(Self.config)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    let configuration = try Configuration.forCommand(file: config, terminal)
    do throws(StartFailure) {
      terminal.print(try await Maintenance(configuration).makeOperatorToken(named: "made on the machine"))
    } catch { throw CommandFailure(error) }
    return .success
  }
}
