internal import JSON
internal import UsherClient

/// A list that comes in pages, read to its end or to a limit.
struct Pages: Sendable {
  /// Small enough that a page comes soon, large enough that few are needed.
  private static let size = 200

  let administrator: Administrator
  let terminal: Terminal

  /// All pages as one: the members of the last, and everybody's `data`.
  func document(_ path: String, limit: Int?, cursor: String?) async throws(ClientError) -> JSONValue {
    var rows: [JSONValue] = []
    var cursor = cursor
    defer { terminal.progress?("") }
    while true {
      let size = min(Self.size, limit.map { $0 - rows.count } ?? Self.size)
      let page = try await administrator.call(.get, Self.path(path, size, cursor))
      guard case .object(let members) = page, case .array(let data)? = page["data"] else { throw .noList }
      rows += data
      cursor = if case .string(let next)? = page["next"] { next } else { nil }
      guard cursor == nil || rows.count == limit else {
        terminal.progress?("\(rows.count) so far")
        continue
      }
      return .object(members.map { $0.name == "data" ? JSONMember("data", .array(rows)) : $0 })
    }
  }

  /// All lines; where there are more a `Link` leads on, of which the cursor is what matters.
  func lines(_ path: String, limit: Int?, cursor: String?) async throws(ClientError) -> [JSONValue] {
    var lines: [JSONValue] = []
    var cursor = cursor
    defer { terminal.progress?("") }
    while true {
      let size = min(10_000, limit.map { $0 - lines.count } ?? 10_000)
      let answer = try await administrator.send(.get, Self.path(path, size, cursor))
      for line in answer.body.split(separator: UInt8(ascii: "\n")) {
        do throws(JSONError) { lines.append(try JSONValue(parsing: Array(line))) } catch { throw .noList }
      }
      cursor = answer.field("link").flatMap(Self.cursor)
      if cursor == nil || lines.count == limit { return lines }
      terminal.progress?("\(lines.count) so far")
    }
  }

  private static func path(_ path: String, _ size: Int, _ cursor: String?) -> String {
    "\(path)\(path.contains("?") ? "&" : "?")limit=\(size)" + (cursor.map { "&cursor=\(escaped($0))" } ?? "")
  }

  private static func escaped(_ cursor: String) -> String { Administrator.segment(cursor) }

  /// The cursor in `</v1/…?cursor=…&…>; rel="next"`; cursors need no escapes.
  private static func cursor(in link: String) -> String? {
    let target = link.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
    let query = target.drop { $0 != "?" }.dropFirst().split(separator: "&")
    return query.first { $0.hasPrefix("cursor=") }.map { String($0.dropFirst(7)) }
  }
}

extension ClientError {
  /// An answer that should be a list and is none.
  static var noList: ClientError { .cannotTell(reason: "the server's answer is no list", retryAfter: nil) }
}
