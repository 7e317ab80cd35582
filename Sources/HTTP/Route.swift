/// A method, a pattern and what stands behind them.
public struct Route<Value: Sendable>: Sendable {
  public let method: Method
  /// Literal segments and `{name}` for one segment of any content, such as `/v1/organizations/{org}/licenses/{id}`; at
  /// the end `{name*}` for all that is left of the path, slashes and all.
  public let pattern: String
  public let value: Value

  public init(_ method: Method, _ pattern: String, _ value: Value) {
    self.method = method
    self.pattern = pattern
    self.value = value
  }
}

/// Why a table of routes is none: two routes take the same path, or a pattern makes no sense.
public struct RouteConflict: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String
}
