/// What may stand at the end of a command line that is being typed.
enum Completion {
  struct Candidate: Sendable, Equatable {
    let word: String
    let help: String

    init(_ word: String, _ help: String = "") { (self.word, self.help) = (word, help) }
  }

  /// What the shells take for “any file”.
  static let files = Candidate(":files")

  /// - Parameter words: those after the program's name; the last is the one being typed, and may be empty.
  static func candidates(_ words: [String], _ environment: [String: String]) -> [Candidate] {
    let typed = words.last ?? ""
    return all(words, typed, environment).filter { $0 == files || $0.word.hasPrefix(typed) }
  }

  private static func all(
    _ words: [String], _ typed: String, _ environment: [String: String]
  ) -> [Candidate] {
    var before = words.dropLast()[...]
    guard let first = before.popFirst() else { return commands + [Candidate("help", "Say more")] }
    if first == "help" {
      guard let name = before.first else { return commands }
      return Resource.named(name)?.verbs.map { Candidate($0.name, $0.summary) } ?? []
    }
    if let resource = Resource.named(first) {
      guard let name = before.popFirst() else { return resource.verbs.map { Candidate($0.name, $0.summary) } }
      guard let verb = resource.verb(named: name) else { return [] }
      return arguments(verb.arguments, Array(before), typed, environment)
    }
    guard let command = Usher.commands.first(where: { $0.name == first }) else { return [] }
    return arguments(command.arguments, Array(before), typed, environment)
  }

  private static let commands =
    Usher.commands.map { Candidate($0.name, $0.summary) }
    + Resource.all.map { Candidate($0.name, $0.summary) }

  /// - Parameter before: the words between the command and the one that is typed.
  private static func arguments(
    _ arguments: [any Argument], _ before: [String], _ typed: String, _ environment: [String: String]
  ) -> [Candidate] {
    var given: Set<String> = []
    var operands = arguments.filter { $0.kind == .operand }[...]
    var rest = before[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        _ = operands.popFirst()
        continue
      }
      let name = String(word.prefix { $0 != "=" })
      guard let option = arguments.first(where: { "--\($0.name)" == name }) else { continue }
      given.insert(option.name)
      guard case .option(let value) = option.kind, name == word, rest.popFirst() == nil else { continue }
      return values(option, value, environment)
    }
    let options =
      arguments.filter { $0.kind != .operand && (!given.contains($0.name) || $0.isRepeatable) }
      .map { Candidate("--\($0.name)", $0.help) } + [Candidate("--help", "Says this")]
    guard !typed.hasPrefix("-"), let operand = operands.first else { return options }
    let values = values(operand, operand.name, environment)
    return values.isEmpty && typed.isEmpty ? options : values
  }

  private static func values(
    _ argument: any Argument, _ placeholder: String, _ environment: [String: String]
  ) -> [Candidate] {
    if !argument.choices.isEmpty { return argument.choices.map { Candidate($0) } }
    if argument.name == ProfileFile.option.name {
      return ProfileFile.names(environment).map { Candidate($0) } + [files]
    }
    return ["FILE", "DIR"].contains(placeholder) ? [files] : []
  }
}
