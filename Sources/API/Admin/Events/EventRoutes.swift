import HTTP
import Issuance
import JSON
import Licensing

/// The audit trail: an organization's own, and for operators everybody's.
enum EventRoutes {
  static let all: [Route] =
    routes("/v1/organizations/{org}/events", for: .viewer) + routes("/v1/events", for: .operator)

  private static func routes(_ path: String, for access: Access) -> [Route] {
    [
      .list(path, for: access, filters: filters) { exchange in
        try await page(exchange, longest: 500, usual: 50) { exchange, events, next in
          .json(200) { writer in
            writer.object { writer in
              writer.member("data", array: events) { writer, event in event.write(to: &writer) }
              writer.member("next", next)
            }
          }
        }
      },
      .list("\(path)/export", for: access, filters: filters) { exchange in
        try await page(exchange, longest: longestExport, usual: longestExport, export)
      },
    ]
  }

  private static let filters: Set = ["type", "license", "identity", "from", "to"]
  private static let longestExport: Int64 = 10_000

  /// Whose events the path is about; nil: everybody's.
  private static let owner = Finder<Organization?> { exchange, unit, locked in
    guard !exchange.parameters["org"].isEmpty else { return .some(nil) }
    return try await Finder<Organization>.organization.find(exchange, unit, locked).map(Optional.some)
  }

  private static func page(
    _ exchange: Exchange, longest: Int64, usual: Int64,
    _ answer: @Sendable (Exchange, [RecordedEvent], _ next: String?) -> Response
  ) async throws -> Response {
    try await exchange.read(owner) { desk, organization in
      let request = try request(exchange, of: organization, longest: longest, usual: usual)
      let (events, hasMore) = try await desk.unit.events(request)
      guard hasMore, let last = events.last?.place else { return answer(exchange, events, nil) }
      let next = Cursor(list: exchange.list, after: last.at.microseconds, last.number)
      return answer(exchange, events, next.description)
    }
  }

  /// One event a line (NDJSON), oldest first; when there are more, a `Link` leads on.
  private static func export(
    _ exchange: Exchange, _ events: [RecordedEvent], _ next: String?
  ) -> Response {
    var body: [UInt8] = []
    for event in events {
      var writer = JSONWriter()
      event.write(to: &writer)
      body += writer.bytes
      body.append(UInt8(ascii: "\n"))
    }
    var headers = [HeaderField(.contentType, "application/x-ndjson")]
    if let next {
      let query = exchange.request.query.filter { $0.name != "cursor" } + [(name: "cursor", value: next)]
      let text = query.map { "\($0.name)=\(Exchange.encodedInQuery($0.value))" }.joined(separator: "&")
      headers.append(HeaderField("Link", "<\(exchange.request.path)?\(text)>; rel=\"next\""))
    }
    return Response(200, headers: headers, body: body)
  }

  private static func request(
    _ exchange: Exchange, of organization: Organization?, longest: Int64, usual: Int64
  ) throws(Problem) -> EventRequest {
    var request = EventRequest(organization: organization?.record.key)
    request.limit = Int(try exchange.query("limit", in: 1...longest) ?? usual)
    request.type = try exchange.queryText("type")
    if let text = exchange.query("license") {
      guard let id = Identifier(text) else { throw .invalid("?license", "must be a license's id") }
      request.license = id
    }
    if let text = exchange.query("identity") {
      guard let reference = IdentityReference(text) else {
        throw .invalid("?identity", "must be an identity's name or id")
      }
      request.identity = reference
    }
    request.from = try exchange.queryTime("from")
    request.to = try exchange.queryTime("to")
    if let text = exchange.query("cursor") {
      guard let cursor = Cursor(text, list: exchange.list, parts: 2) else {
        throw .invalid("?cursor", "must be the “next” of a page of this very list")
      }
      request.after = EventPlace(at: Instant(microseconds: cursor.after[0]), number: cursor.after[1])
    }
    return request
  }
}

extension IdentityReference {
  /// An id or a name, as a path or a query has it.
  init?(_ text: String) {
    if let id = Identifier(text) {
      self = .id(id)
    } else if let name = IdentityName(text) {
      self = .name(name)
    } else {
      return nil
    }
  }
}

extension Exchange {
  /// A value of a query as it stands in a URL: everything but the unreserved characters encoded (RFC 3986 §2.3).
  static func encodedInQuery(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      case _:
        "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
