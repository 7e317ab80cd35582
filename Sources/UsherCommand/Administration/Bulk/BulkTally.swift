internal import JSON

/// How many lines went how.
struct BulkTally: Sendable, CustomStringConvertible {
  private(set) var done = 0
  private(set) var existing = 0
  private(set) var refused = 0
  private(set) var later = 0

  var total: Int { done + existing + refused + later }

  mutating func count(_ verdict: BulkResult.Verdict) {
    switch verdict {
    case .done: done += 1
    case .existing: existing += 1
    case .refused: refused += 1
    case .later: later += 1
    }
  }

  var description: String {
    "\(done) done, \(existing) there already, \(refused) refused"
      + (later > 0 ? ", \(later) without an answer" : "")
  }

  func json(_ results: [JSONValue]) -> JSONValue {
    .object([
      JSONMember("done", .integer(Int64(done))), JSONMember("existing", .integer(Int64(existing))),
      JSONMember("refused", .integer(Int64(refused))), JSONMember("unanswered", .integer(Int64(later))),
      JSONMember("data", .array(results)),
    ])
  }
}
