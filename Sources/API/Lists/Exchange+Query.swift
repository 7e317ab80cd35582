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
  func queryTime(_ name: String) throws(Problem) -> Instant? {
    guard let text = query(name) else { return nil }
    guard let time = Timestamp(text) else {
      throw .invalid("?\(name)", "must be a time as in 2026-11-30T01:02:03Z")
    }
    return Instant(microseconds: time.microsecondsSince1970)
  }

  /// One of these values of the query, by its word.
  func query<Value: Worded>(_ name: String, oneOf values: Value...) throws(Problem) -> Value? {
    guard let text = query(name) else { return nil }
    guard let value = values.first(where: { $0.word == text }) else {
      throw .invalid("?\(name)", "must be one of \(values.map(\.word).joined(separator: ", "))")
    }
    return value
  }

  /// Text of the query that something must contain or be.
  func queryText(_ name: String) throws(Problem) -> String? {
    guard let text = query(name) else { return nil }
    let isOnOneLine = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard (1...256).contains(text.unicodeScalars.count), isOnOneLine else {
      throw .invalid("?\(name)", "must be 1 to 256 characters on one line")
    }
    return text
  }

  /// Which list this is: its path and what narrows it, so that a cursor of another list or filter is refused.
  var list: String {
    route.query.subtracting(["limit", "cursor"]).sorted().reduce(request.path) { list, name in
      query(name).map { "\(list)&\(name)=\($0)" } ?? list
    }
  }

  /// Where the list that this request asks for begins.
  func page() throws(Problem) -> PageRequest {
    let limit = try query("limit", in: 1...500) ?? 50
    guard let text = query("cursor") else { return PageRequest(limit: Int(limit)) }
    guard let cursor = Cursor(text, list: list) else {
      throw .invalid("?cursor", "must be the “next” of a page of this very list")
    }
    return PageRequest(limit: Int(limit), after: cursor.after[0])
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
