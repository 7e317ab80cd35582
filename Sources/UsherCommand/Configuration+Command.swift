internal import Service

extension Configuration {
  /// The configuration that `--config` names, with the environment's changes; what is wrong with it ends the command.
  static func forCommand(file: String, _ terminal: Terminal) throws(CommandFailure) -> Configuration {
    do throws(ConfigurationError) {
      return try Configuration(file: file, environment: terminal.environment)
    } catch {
      throw CommandFailure(error)
    }
  }
}
