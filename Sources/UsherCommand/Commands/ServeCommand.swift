internal import Service
internal import Telemetry

/// `usher serve`: the server, in production.
struct ServeCommand: Command {
  static let name = "serve"
  static let summary = "Serve, with a configuration and a database of your own"
  static let discussion = """
    Serves until SIGTERM or SIGINT, then finishes what is in flight. SIGHUP reads the server certificate again.
    The database's schema must be there: see usher migrate. Without the database it waits, and /readyz says so.
    """

  private static let config = Option<String>("config", "FILE", required: true, "The configuration, JSON5")
  static let arguments: [any Argument] = [config]

  private let config: String

  init(_ given: GivenArguments) throws(UsageError) {
    config = try given.value(Self.config)
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    let configuration = try Configuration.forCommand(file: config, terminal)
    let logger = Logger(
      "usher", level: configuration.log.level, writer: LogWriter(format: configuration.log.format))
    do {
      let node = try Node(configuration, logger: logger)
      try await node.run { logger.info("ready") }
    } catch { throw CommandFailure("\(error)") }
    return .success
  }
}
