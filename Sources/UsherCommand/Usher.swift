/// The program `usher`: it finds the subcommand, gives it its arguments, and says what went wrong.
public enum Usher {
  static let commands: [any Command.Type] = [
    DevCommand.self, ServeCommand.self, MigrateCommand.self, OperatorTokenCommand.self,
    RekeyCommand.self, LeaseKeyCommand.self,
    EnrollCommand.self, ClaimCommand.self, CheckCommand.self, WatchCommand.self,
    BorrowCommand.self, ReleaseCommand.self,
    VerifyChainCommand.self, VerifyLeaseCommand.self, AuditCommand.self, BenchCommand.self,
  ]

  /// Runs the program; the words are its arguments, without its name.
  public static func main(_ words: [String]) async -> Int32 {
    await run(words, Terminal()).rawValue
  }

  static func run(_ words: [String], _ terminal: Terminal) async -> ExitCode {
    var rest = words[...]
    guard let first = rest.popFirst() else {
      terminal.error(Help.overview)
      return .failure
    }
    switch first {
    case "--version":
      terminal.print("usher \(Version.current)")
      return .success
    case "--help", "-h", "help":
      guard let name = rest.first, let command = commands.first(where: { $0.name == name }) else {
        terminal.print(Help.overview)
        return .success
      }
      terminal.print(Help.text(for: command))
      return .success
    default:
      guard let command = commands.first(where: { $0.name == first }) else {
        let guess = Suggestion.closest(to: first, among: commands.map { $0.name }).map {
          "; did you mean \($0)?"
        }
        terminal.error("usher: there is no command \(first)\(guess ?? "")\nSee usher --help")
        return .failure
      }
      return await run(command, Array(rest), terminal)
    }
  }

  private static func run<C: Command>(_ command: C.Type, _ words: [String], _ terminal: Terminal) async
    -> ExitCode
  {
    if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      terminal.print(Help.text(for: command))
      return .success
    }
    do throws(UsageError) {
      let given = try GivenArguments(words, of: C.arguments)
      let command = try C(given)
      do throws(CommandFailure) {
        return try await command.run(terminal)
      } catch {
        terminal.error("usher \(C.name): \(error.message)")
        return error.exitCode
      }
    } catch {
      terminal.error("usher \(C.name): \(error)\nSee usher \(C.name) --help")
      return .failure
    }
  }
}
