/// A type that can be read from a word of the command line.
protocol ArgumentValue: Sendable {
  /// Nil if the word is none.
  init?(argument: String)
  /// What words there are.
  static var allowed: String { get }
  var argument: String { get }
}

extension String: ArgumentValue {
  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self = argument
  }

  static var allowed: String { "a text that is not empty" }
  var argument: String { self }
}

extension UInt16: ArgumentValue {
  init?(argument: String) { self.init(argument) }
  static var allowed: String { "a port from 0 (any free one) to 65535" }
  var argument: String { description }
}
