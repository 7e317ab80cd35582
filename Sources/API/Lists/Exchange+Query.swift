import HTTP
import JSON
import Licensing

extension Exchange {
  /// The value of a query parameter; nil when it is absent.
  func query(_ name: String) -> String? {
    request.query.first { $0.name == name }?.value
  }

  /// An integer of the query within `range`.
  func query(_ name: String, in range: ClosedRange<Int64>) throws(Problem) -> Int64? {
    guard let text = query(name) else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw .invalid("?\(name)", "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Whether a flag of the query is set; false when it is absent.
  func flag(_ name: String) throws(Problem) -> Bool {
    switch query(name) {
    case nil, "false": return false
    case "true": return true
    case _: throw .invalid("?\(name)", "must be true or false")
    }
  }

  /// A time of the query.
  func query(time name: String) throws(Problem) -> Instant? {
    guard let text = query(name) else { return nil }
    guard let time = Timestamp(text) else { throw .invalid("?\(name)", "must be a time as RFC 3339 has it") }
    return Instant(microseconds: time.microsecondsSince1970)
  }

  /// Where the list that this request asks for begins.
  ///
  /// - Parameter filter: what narrows the list, so that a cursor of another filter is refused.
  func page(_ filter: String = "") throws(Problem) -> PageRequest {
    let limit = try query("limit", in: 1...500) ?? 50
    guard let text = query("cursor") else { return PageRequest(limit: Int(limit)) }
    guard let cursor = Cursor(text, list: request.path + filter) else {
      throw .invalid("?cursor", "must be the “next” of a page of this very list")
    }
    return PageRequest(limit: Int(limit), after: cursor.after)
  }

  /// Refuses parameters that the route does not know: a misspelt filter must not look like an unfiltered list.
  func checkQuery() throws(Problem) {
    var seen: Set<String> = []
    for (name, _) in request.query {
      guard route.query.contains(name) else {
        let known = route.query.sorted().joined(separator: ", ")
        throw .invalid(
          "?\(name)", known.isEmpty ? "is not known here" : "is not known here; there are \(known)")
      }
      guard seen.insert(name).inserted else { throw .invalid("?\(name)", "is given twice") }
    }
  }
}
