/// Finds what answers a request, in a table that is fixed at the start.
///
/// The path is split at `/` before anything is decoded, so that `%2F` stays inside its segment. Empty segments and dot
/// segments match nothing, escaped ones included. HEAD finds what GET finds.
public struct Router<Value: Sendable>: Sendable {
  /// What a request leads to.
  public enum Match: Sendable {
    case found(Value, RouteParameters)
    case notFound
    /// The path is known; these methods are its own, for `Allow`.
    case methodNotAllowed([Method])
  }

  /// All routes, in the order given.
  public let routes: [Route<Value>]
  @usableFromInline let tree: RouteTree

  /// - Throws: `RouteConflict` when two routes could take the same request, or a pattern is none.
  public init(_ routes: [Route<Value>]) throws(RouteConflict) {
    self.routes = routes
    tree = try RouteTree(routes.map { ($0.method, $0.pattern) })
  }

  // Inlinable, so that it is compiled for the value's type where that is known.
  @inlinable public func match(_ request: Request) -> Match {
    switch tree.match(request) {
    case .found(let index, let parameters): .found(routes[index].value, parameters)
    case .notFound: .notFound
    case .methodNotAllowed(let methods): .methodNotAllowed(methods)
    }
  }
}
