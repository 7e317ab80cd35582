internal import JSON

/// Whose a token is, in words.
struct TokenOwner: CustomStringConvertible {
  let description: String

  /// - Parameter token: what `GET /v1/token` says.
  init(_ token: JSONValue) {
    func text(_ name: String) -> String? {
      if case .string(let text) = token[name] { CellText.plain(text) } else { nil }
    }
    let role = text("role") ?? "somebody"
    description = "\(text("name") ?? "?"), \(role)" + (text("organization").map { " of \($0)" } ?? "")
  }
}
