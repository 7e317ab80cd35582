/// What is wrong with a body so far, and the place that is being read.
struct Findings: Sendable {
  /// So many are told; a client that has more mends these first.
  private static let limit = 50

  private(set) var errors: [MemberError] = []
  private var path: [String] = []

  /// Notes an error at the place being read, or at a member of it.
  mutating func add(_ detail: String, at name: String? = nil) {
    guard errors.count < Findings.limit else { return }
    let tokens = name.map { path + [$0] } ?? path
    let pointer = tokens.map { "/" + $0.pointerToken }.joined()
    errors.append(MemberError(pointer: pointer, detail: detail))
  }

  /// Reads what lies at a member or an element.
  mutating func within<Result>(_ token: String, _ body: (inout Findings) -> Result) -> Result {
    path.append(token)
    defer { path.removeLast() }
    return body(&self)
  }
}

extension String {
  /// The text with `~` and `/` escaped (RFC 6901 §3).
  fileprivate var pointerToken: String {
    var token = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "~": token += "~0"
      case "/": token += "~1"
      case _: token.unicodeScalars.append(scalar)
      }
    }
    return token
  }
}
