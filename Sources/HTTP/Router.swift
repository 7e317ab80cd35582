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
  private var nodes = [Node()]

  /// - Throws: `RouteConflict` when two routes could take the same request or paths differ only by parameter names.
  public init(_ routes: [Route<Value>]) throws(RouteConflict) {
    self.routes = routes
    for index in routes.indices { try insert(index) }
  }

  public func match(_ request: Request) -> Match {
    let bytes = request.bytes.span
    let path = request.head.path
    var values: [ByteRange] = []
    var node = 0
    var start = path.start
    guard !path.isEmpty, bytes[start] == UInt8(ascii: "/") else { return .notFound }
    while start < path.end {
      start += 1
      var end = start
      while end < path.end, bytes[end] != UInt8(ascii: "/") { end += 1 }
      let segment = ByteRange(start, end)
      if let next = nodes[node].literals.first(where: { bytes.extracting(segment.indices).equals($0.text) }) {
        node = next.node
      } else if let next = nodes[node].parameter, !bytes.isDotsOrEmpty(segment) {
        values.append(segment)
        node = next
      } else {
        return .notFound
      }
      start = end
    }
    let wanted = request.method == .head ? .get : request.method
    guard let leaf = nodes[node].routes.first(where: { routes[$0].method == wanted }) else {
      let methods = nodes[node].routes.map { routes[$0].method }
      guard !methods.isEmpty else { return .notFound }
      return .methodNotAllowed(methods.flatMap { $0 == .get ? [.get, .head] : [$0] })
    }
    return .found(
      routes[leaf].value, RouteParameters(names: nodes[node].names, values: values, bytes: request.bytes))
  }
}

extension Router {
  /// A prefix of paths. It has either literals or a parameter, so that no path has two ways through the tree.
  private struct Node: Sendable {
    var literals: [(text: String, node: Int)] = []
    var parameter: Int?
    var routes: [Int] = []
    /// The names of the parameters on the way here.
    var names: [String] = []
  }

  private mutating func insert(_ index: Int) throws(RouteConflict) {
    let route = routes[index]
    func conflict(_ reason: String) -> RouteConflict {
      RouteConflict(description: "\(route.method.name) \(route.pattern): \(reason)")
    }
    guard route.pattern.hasPrefix("/"), route.method != .head, route.method != .other else {
      throw conflict("a pattern begins with / and has a method other than HEAD")
    }
    var node = 0
    var names: [String] = []
    for segment in route.pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      let next: Int
      if segment.hasPrefix("{"), segment.hasSuffix("}"), segment.count > 2 {
        let name = String(segment.dropFirst().dropLast())
        guard nodes[node].literals.isEmpty else {
          throw conflict("{\(name)} also takes what a literal takes")
        }
        guard !names.contains(name) else { throw conflict("{\(name)} stands twice") }
        names.append(name)
        next = nodes[node].parameter ?? nodes.count
        nodes[node].parameter = next
      } else {
        guard !segment.isEmpty,
          segment.utf8.allSatisfy({ $0 != UInt8(ascii: "%") && ByteSet.path.contains($0) })
        else { throw conflict("a literal segment has characters that need no escape") }
        guard nodes[node].parameter == nil else { throw conflict("a parameter also takes \(segment)") }
        let literal = String(segment)
        next = nodes[node].literals.first { $0.text == literal }?.node ?? nodes.count
        if next == nodes.count { nodes[node].literals.append((literal, next)) }
      }
      if next == nodes.count { nodes.append(Node()) }
      node = next
    }
    guard !nodes[node].routes.contains(where: { routes[$0].method == route.method }) else {
      throw conflict("there is such a route already")
    }
    guard nodes[node].routes.isEmpty || nodes[node].names == names else {
      throw conflict("its parameters have other names than those of its other methods")
    }
    nodes[node].names = names
    nodes[node].routes.append(index)
  }
}

extension Span<UInt8> {
  /// Whether a segment is empty, `.` or `..`, with its dots escaped or not (RFC 3986 §5.2.4, §6.2.2.2).
  fileprivate func isDotsOrEmpty(_ range: ByteRange) -> Bool {
    guard range.end - range.start <= 6 else { return false }
    let decoded = [UInt8](percentDecoding: self, range)
    return decoded.count <= 2 && decoded.allSatisfy { $0 == UInt8(ascii: ".") }
  }
}
