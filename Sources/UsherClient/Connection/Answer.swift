package import JSON

/// One answer of the server.
package struct Answer: Sendable {
  package let status: Int
  let fields: [(name: String, value: String)]
  package let body: [UInt8]
  /// Whether another request may follow on the same connection.
  let keepsAlive: Bool

  /// The one value of a field, its name in lower case; nil when it is absent or there twice.
  package func field(_ name: String) -> String? {
    let values = fields.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// Seconds; a date is not understood.
  var retryAfter: Int? { field("retry-after").flatMap { UInt32($0) }.map(Int.init) }

  /// The body as JSON.
  package func document() throws(ClientError) -> JSONValue {
    do { return try JSONValue(parsing: body) } catch {
      throw .unreadable("byte \(error.offset) of the body: \(error.detail)")
    }
  }

  /// Throws what an answer that is no success means (api: “what the app does”).
  func requireSuccess() throws(ClientError) {
    switch status {
    case 200...299: return
    case 408, 425, 429: throw cannotTell
    case 400...499: throw .refused(Problem(self))
    case _: throw cannotTell
    }
  }

  private var cannotTell: ClientError {
    .cannotTell(reason: "the server answered \(status), \(Problem(self))", retryAfter: retryAfter)
  }
}
