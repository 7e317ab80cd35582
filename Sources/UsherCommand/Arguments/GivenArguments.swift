/// The words of a command line, sorted into what a command takes.
struct GivenArguments {
  /// By name, what was given; of a flag an empty word.
  let words: [String: [String]]

  init(words: [String: [String]]) { self.words = words }

  /// - Parameter isComplete: whether what is required must be there.
  init(
    _ line: [String], of arguments: [any Argument], isComplete: Bool = true
  ) throws(UsageError) {
    var words: [String: [String]] = [:]
    var operands = arguments.filter { $0.kind == .operand }[...]
    var rest = line[...]
    var areOptionsOver = false
    while let word = rest.popFirst() {
      if word == "--", !areOptionsOver {
        areOptionsOver = true
        continue
      }
      guard !areOptionsOver, word.hasPrefix("-"), word != "-" else {
        guard let operand = operands.first else { throw .unwantedWord(word) }
        if !operand.isRepeatable { operands.removeFirst() }
        words[operand.name, default: []].append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let known = arguments.filter { $0.kind != .operand }
      guard let argument = known.first(where: { "--\($0.name)" == parts[0] }) else {
        let suggestion = Suggestion.closest(to: parts[0], among: known.map { "--\($0.name)" })
        throw .unknownOption(parts[0], suggestion: suggestion)
      }
      guard words[argument.name] == nil || argument.isRepeatable else { throw .givenTwice(parts[0]) }
      if argument.kind == .flag {
        guard parts.count == 1 else { throw .unwantedValue(parts[0]) }
        words[argument.name] = [""]
      } else if parts.count == 2 {
        words[argument.name, default: []].append(parts[1])
      } else {
        guard let value = rest.popFirst() else { throw .missingValue(parts[0]) }
        words[argument.name, default: []].append(value)
      }
    }
    self.words = words
    if isComplete { try require(arguments) }
  }

  /// All that was given by this name.
  subscript(_ name: String) -> [String] { words[name] ?? [] }

  /// The same with what the other has besides.
  func completed(by other: [String: [String]]) -> GivenArguments {
    GivenArguments(words: words.merging(other) { given, _ in given })
  }

  /// Whatever of these must be given is there.
  func require(_ arguments: [any Argument]) throws(UsageError) {
    for argument in arguments where argument.isRequired && words[argument.name] == nil {
      throw .missing(argument.usage)
    }
  }

  /// An option's value; nil if it was not given and has no default.
  func optional<Value>(_ option: Option<Value>) throws(UsageError) -> Value? {
    guard let word = words[option.name]?.first else { return option.fallback }
    guard let value = Value(argument: word) else {
      throw .badValue(word, option: "--\(option.name)", allowed: Value.allowed)
    }
    return value
  }

  /// The value of an option that is required or has a default.
  func value<Value>(_ option: Option<Value>) throws(UsageError) -> Value {
    guard let value = try optional(option) else { throw .missing(option.usage) }
    return value
  }

  func isGiven(_ flag: Flag) -> Bool { words[flag.name] != nil }

  /// A word that need not be given.
  func optional(_ operand: Operand) -> String? { words[operand.name]?.first }

  func word(_ operand: Operand) throws(UsageError) -> String {
    guard let word = words[operand.name]?.first, !word.isEmpty else { throw .missing(operand.name) }
    return word
  }
}
