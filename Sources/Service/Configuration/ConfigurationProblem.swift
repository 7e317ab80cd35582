/// One thing wrong with a configuration.
public struct ConfigurationProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// The key, such as `listeners[0].roles`, or the environment variable that set it; empty for the whole file.
  public let path: String
  public let detail: String
  /// What would have been right.
  public let allowed: String?

  init(_ path: String, _ detail: String, allowed: String? = nil) {
    self.path = path
    self.detail = detail
    self.allowed = allowed
  }

  public var description: String {
    let place = path.isEmpty ? "" : "\(path): "
    return "\(place)\(detail)" + (allowed.map { "; allowed: \($0)" } ?? "")
  }
}
