internal import Service

/// `usher migrate`: brings the database's schema up to this program.
struct MigrateCommand: Command {
  static let name = "migrate"
  static let summary = "Bring the database up to this version's schema"
  static let discussion = """
    Applies what is missing, in order, one transaction each, and says what it applied. Servers of the version before
    go on meanwhile. Running it again, or twice at once, is harmless.
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
      let isWalled = try await Maintenance(configuration).migrate { terminal.print("applied \($0)") }
      if !isWalled {
        terminal.error("usher: there is no second wall between organizations: see operations.md")
      }
    } catch { throw CommandFailure(error) }
    terminal.print("the schema is up to date")
    return .success
  }
}
