/// The patterns of a router by their segments; a route is its index.
@usableFromInline struct RouteTree: Sendable {
  @usableFromInline enum Match {
    case found(Int, RouteParameters)
    case notFound
    case methodNotAllowed([Method])
  }

  /// A prefix of paths. Where it goes on with literals and a parameter, a literal wins and there is no way back, so that
  /// no path has two ways.
  private struct Node: Sendable {
    var firstLiteral: Int?
    var parameter: Int?
    /// Whether the parameter takes all that is left of the path, slashes and all.
    var isRest = false
    var leaf: Int?
  }

  /// A literal segment, the node it leads to, and its next sibling.
  private struct Literal: Sendable {
    let text: ByteRange
    let node: Int
    let next: Int?
  }

  /// Where paths may end.
  private struct Leaf: Sendable {
    let names: [String]
    var routes: [(method: Method, index: Int)] = []
  }

  private var nodes = [Node()]
  private var literals: [Literal] = []
  private var leaves: [Leaf] = []
  /// All literals, one after the other.
  private var text: [UInt8] = []

  init(_ patterns: [(method: Method, pattern: String)]) throws(RouteConflict) {
    for (index, route) in patterns.enumerated() {
      do throws(Fault) {
        try insert(index, route.method, route.pattern)
      } catch {
        throw RouteConflict(description: "\(route.method.name) \(route.pattern): \(error.reason)")
      }
    }
  }

  @usableFromInline func match(_ request: Request) -> Match {
    let head = request.bytes
    let bytes = head.span
    let nodes = nodes.span
    let path = request.head.path
    var values: [4 of ByteRange] = InlineArray(repeating: ByteRange(0, 0))
    var count = 0
    var node = 0
    var start = path.start
    guard !path.isEmpty, bytes[start] == UInt8(ascii: "/") else { return .notFound }
    while start < path.end {
      var end = start + 1
      if nodes[node].isRest { end = path.end }
      while end < path.end, bytes[end] != UInt8(ascii: "/") { end += 1 }
      let segment = ByteRange(start + 1, end)
      if let next = literal(bytes, segment, nodes[node].firstLiteral) {
        node = next
      } else {
        guard let next = nodes[node].parameter else { return .notFound }
        guard !bytes.isDotsOrEmpty(segment) else { return .notFound }
        values[count] = segment
        count += 1
        node = next
      }
      start = end
    }
    guard let leaf = nodes[node].leaf else { return .notFound }
    return end(leaves[leaf], values, request)
  }

  private func literal(_ bytes: Span<UInt8>, _ segment: ByteRange, _ first: Int?) -> Int? {
    let literals = literals.span
    let text = text.span
    var sibling = first
    while let index = sibling {
      if bytes.equals(segment, text, literals[index].text) { return literals[index].node }
      sibling = literals[index].next
    }
    return nil
  }

  private func end(_ leaf: Leaf, _ values: [4 of ByteRange], _ request: Request) -> Match {
    let method = request.method == .head ? .get : request.method
    for route in leaf.routes where route.method == method {
      return .found(route.index, RouteParameters(names: leaf.names, values: values, bytes: request.bytes))
    }
    return .methodNotAllowed(
      leaf.routes.flatMap { route in route.method == .get ? [.get, .head] : [route.method] })
  }
}

extension RouteTree {
  private struct Fault: Error {
    let reason: String
  }

  private mutating func insert(_ index: Int, _ method: Method, _ pattern: String) throws(Fault) {
    guard pattern.hasPrefix("/") else { throw Fault(reason: "a pattern begins with /") }
    guard method != .head, method != .other else { throw Fault(reason: "this method has no routes") }
    var node = 0
    var names: [String] = []
    var isRest = false
    for segment in pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard !isRest else { throw Fault(reason: "nothing can stand after {\(names.last ?? "")*}") }
      if segment.hasPrefix("{"), segment.hasSuffix("}"), segment.count > 2 {
        isRest = segment.hasSuffix("*}")
        let name = String(segment.dropFirst().dropLast(isRest ? 2 : 1))
        guard !names.contains(name) else { throw Fault(reason: "{\(name)} stands twice") }
        names.append(name)
        let before = node
        node = try nodeAfter(node, parameter: name, isRest: isRest)
        nodes[before].isRest = isRest
      } else {
        node = try nodeAfter(node, literal: String(segment))
      }
    }
    guard names.count <= RouteParameters.limit else { throw Fault(reason: "it has too many parameters") }
    let leaf = nodes[node].leaf ?? leaves.count
    nodes[node].leaf = leaf
    if leaf == leaves.count { leaves.append(Leaf(names: names)) }
    guard leaves[leaf].names == names else {
      throw Fault(reason: "its parameters have other names in the routes of its other methods")
    }
    guard !leaves[leaf].routes.contains(where: { $0.method == method }) else {
      throw Fault(reason: "there is such a route already")
    }
    leaves[leaf].routes.append((method, index))
  }

  private mutating func nodeAfter(_ node: Int, parameter name: String, isRest: Bool) throws(Fault) -> Int {
    guard nodes[node].firstLiteral == nil || !isRest else {
      throw Fault(reason: "{\(name)*} would also take a literal")
    }
    if let next = nodes[node].parameter {
      guard nodes[node].isRest == isRest else {
        throw Fault(reason: "{\(name)} ends elsewhere in another route")
      }
      return next
    }
    nodes[node].parameter = nodes.count
    nodes.append(Node())
    return nodes.count - 1
  }

  private mutating func nodeAfter(_ node: Int, literal: String) throws(Fault) -> Int {
    let bytes = Array(literal.utf8)
    guard !bytes.isEmpty, bytes.allSatisfy(ByteSet.path.contains) else {
      throw Fault(reason: "a literal segment is empty or has characters that a path has not")
    }
    guard !nodes[node].isRest else { throw Fault(reason: "a parameter would also take \(literal)") }
    let whole = ByteRange(0, bytes.count)
    if let next = self.literal(bytes.span, whole, nodes[node].firstLiteral) { return next }
    let range = ByteRange(text.count, text.count + bytes.count)
    literals.append(Literal(text: range, node: nodes.count, next: nodes[node].firstLiteral))
    text += bytes
    nodes[node].firstLiteral = literals.count - 1
    nodes.append(Node())
    return nodes.count - 1
  }
}

extension Span<UInt8> {
  fileprivate func equals(_ range: ByteRange, _ other: Span<UInt8>, _ otherRange: ByteRange) -> Bool {
    let count = range.end - range.start
    guard count == otherRange.end - otherRange.start else { return false }
    for offset in 0..<count where self[range.start + offset] != other[otherRange.start + offset] {
      return false
    }
    return true
  }

  /// Whether a segment is empty, `.` or `..`, with its dots escaped or not (RFC 3986 §5.2.4, §6.2.2.2).
  fileprivate func isDotsOrEmpty(_ range: ByteRange) -> Bool {
    var position = range.start
    var dots = 0
    while position < range.end {
      if self[position] == UInt8(ascii: ".") {
        position += 1
      } else if position + 2 < range.end, matches("%2e", in: ByteRange(position, position + 3)) {
        position += 3
      } else {
        return false
      }
      dots += 1
    }
    return dots <= 2
  }
}
