internal import Cryptography

/// The program `usher`: it finds the subcommand, gives it its arguments, and says what went wrong.
public enum Usher {
  static let commands: [any Command.Type] = [
    DevCommand.self, ServeCommand.self, MigrateCommand.self, OperatorTokenCommand.self,
    RekeyCommand.self, LeaseKeyCommand.self,
    EnrollCommand.self, ClaimCommand.self, CheckCommand.self, WatchCommand.self,
    BorrowCommand.self, ReleaseCommand.self,
    VerifyChainCommand.self, VerifyLeaseCommand.self, AuditCommand.self, BenchCommand.self,
    LoginCommand.self, LogoutCommand.self, WhoamiCommand.self, ImportCommand.self,
    CompletionCommand.self,
  ]

  /// Runs the program; the words are its arguments, without its name.
  public static func main(_ words: [String]) async -> Int32 {
    OpenSSLLibrary.staysWhileThreadsEnd()
    return await run(words, Terminal()).rawValue
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
      terminal.print(help(Array(rest)))
      return .success
    default:
      if let resource = Resource.named(first) {
        return await ResourceCommand(resource: resource, terminal: terminal).run(Array(rest))
      }
      guard let command = commands.first(where: { $0.name == first }) else {
        let names = commands.map { $0.name } + Resource.all.map(\.name)
        let guess = Suggestion.closest(to: first, among: names).map { "; did you mean \($0)?" }
        terminal.error("usher: there is no command \(first)\(guess ?? "")\nSee usher --help")
        return .failure
      }
      return await run(command, Array(rest), terminal)
    }
  }

  /// What `usher help …` says.
  private static func help(_ words: [String]) -> String {
    guard let name = words.first else { return Help.overview }
    if let command = commands.first(where: { $0.name == name }) { return Help.text(for: command) }
    guard let resource = Resource.named(name) else { return Help.overview }
    guard let verb = words.dropFirst().first.flatMap(resource.verb(named:)) else {
      return Help.text(for: resource)
    }
    return Help.text("\(name) \(verb.name)", verb.arguments, verb.discussion)
  }

  /// Whether help is asked for, before the words are looked at any closer.
  static func isHelp(_ words: [String]) -> Bool {
    words.prefix(while: { $0 != "--" }).contains { $0 == "--help" || $0 == "-h" }
  }

  private static func run<C: Command>(_ command: C.Type, _ words: [String], _ terminal: Terminal) async
    -> ExitCode
  {
    if isHelp(words) {
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
