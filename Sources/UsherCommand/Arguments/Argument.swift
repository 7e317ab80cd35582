/// Something that a command takes, as its help and the parser see it.
protocol Argument: Sendable {
  /// `--data` without its dashes; for an operand the word that stands for it.
  var name: String { get }
  var kind: ArgumentKind { get }
  var help: String { get }
  var isRequired: Bool { get }
  var fallbackText: String? { get }
  /// Whether it may be given several times.
  var isRepeatable: Bool { get }
  /// The words that it may be, where there are few.
  var choices: [String] { get }
}

enum ArgumentKind: Sendable, Equatable {
  /// `--name VALUE` or `--name=VALUE`.
  case option(value: String)
  /// `--name`.
  case flag
  /// A word without dashes, told by its place.
  case operand
}

extension Argument {
  var isRepeatable: Bool { false }
  var choices: [String] { [] }

  /// How it is written on the command line.
  var usage: String {
    switch kind {
    case .option(let value): "--\(name) \(value)"
    case .flag: "--\(name)"
    case .operand: name
    }
  }
}
