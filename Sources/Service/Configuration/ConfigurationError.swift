/// Why a configuration is not used: everything that is wrong with it, not only the first thing.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file.
  public let source: String
  public let problems: [ConfigurationProblem]

  public var description: String {
    if problems.count == 1 { return "\(source): \(problems[0])" }
    return "\(source): \(problems.count) problems" + problems.map { "\n  \($0)" }.joined()
  }
}
