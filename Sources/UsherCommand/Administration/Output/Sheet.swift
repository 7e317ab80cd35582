internal import JSON

/// One document, a member a line.
struct Sheet: Sendable {
  let lines: [String]

  init(_ document: JSONValue) {
    let members = Self.members(document, "")
    let width = members.map(\.name.count).max() ?? 0
    lines = members.flatMap { name, value in
      // PEM and the like keep their lines, below the name.
      if case .string(let text) = value, text.contains("\n") {
        return [name] + text.split(separator: "\n").map { CellText.plain(String($0)) }
      }
      return ["\(name)\(String(repeating: " ", count: width - name.count))  \(CellText.text(value))"]
    }
  }

  private static func members(_ value: JSONValue, _ prefix: String) -> [(name: String, value: JSONValue)] {
    guard case .object(let members) = value, !members.isEmpty else {
      return prefix.isEmpty ? [] : [(String(prefix.dropLast()), value)]
    }
    return members.flatMap { Self.members($0.value, "\(prefix)\(CellText.plain($0.name)).") }
  }
}
