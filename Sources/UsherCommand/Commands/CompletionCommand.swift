/// `usher completion`.
struct CompletionCommand: Command {
  static let name = "completion"
  static let summary = "Print what makes bash or zsh complete this program's commands"
  static let discussion = """
    bash: source <(usher completion bash), in ~/.bashrc
    zsh: source <(usher completion zsh), in ~/.zshrc after compinit
    The scripts ask usher completion words -- WORDS, which prints what may stand in the place of the last word.
    """

  private static let shell = Operand("SHELL", "bash or zsh")
  private static let typed = Operand("WORDS", "What is typed so far", isRequired: false, isRepeatable: true)
  static let arguments: [any Argument] = [shell, typed]

  private let shell: Shell?
  private let typed: [String]

  init(_ given: GivenArguments) throws(UsageError) {
    let word = try given.word(Self.shell)
    shell = Shell(rawValue: word)
    typed = given[Self.typed.name]
    guard shell != nil || word == "words" else {
      throw .badValue(word, option: "SHELL", allowed: Shell.allCases.map(\.rawValue).joined(separator: ", "))
    }
  }

  func run(_ terminal: Terminal) async throws(CommandFailure) -> ExitCode {
    if let shell {
      terminal.print(shell.script)
    } else {
      let candidates = Completion.candidates(typed, terminal.environment)
      if !candidates.isEmpty {
        terminal.print(candidates.map { "\($0.word)\t\($0.help)" }.joined(separator: "\n"))
      }
    }
    return .success
  }
}
