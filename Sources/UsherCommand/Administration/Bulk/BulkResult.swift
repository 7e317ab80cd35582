internal import JSON

/// What came of one line.
struct BulkResult: Sendable {
  enum Verdict: Sendable {
    case done
    /// It was there before, by its name or external id.
    case existing
    case refused
    /// The server had no time: later it may have.
    case later
  }

  /// The line of the file.
  let number: Int
  /// As the server said it.
  let document: JSONValue

  var body: JSONValue { document["body"] ?? .null }

  var status: Int {
    if case .integer(let status)? = document["status"] { Int(status) } else { 0 }
  }

  var code: String {
    if case .string(let code)? = body["code"] { code } else { "status-\(status)" }
  }

  var verdict: Verdict {
    switch (status, code) {
    case (200...299, _): .done
    case (409, "already-exists"): .existing
    case (409, "request-in-progress"), (429, _), (500..., _): .later
    case _: .refused
    }
  }

  /// Seconds until it makes sense to try again.
  var retryAfter: Int? {
    if case .string(let seconds)? = document["retryAfter"] { Int(seconds) } else { nil }
  }

  /// The same with the file's line instead of the request's.
  var json: JSONValue {
    guard case .object(let members) = document else { return .null }
    return .object(members.map { $0.name == "line" ? JSONMember("line", .integer(Int64(number))) : $0 })
  }
}
