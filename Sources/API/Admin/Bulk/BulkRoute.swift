import HTTP
import JSON
import Licensing

/// Many requests in one: a line each (NDJSON), carried out one after the other, each judged and answered on its own.
///
/// A failed line stops nobody. What was done is answered and not done twice where a POST is named: by a key of its own, or
/// by the whole's Idempotency-Key and its line's number.
enum BulkRoute {
  static let longest = 1000

  static let all: [Route] = [
    Route(.post, path, on: [.admin], for: .viewer, dispatches: true, admitting: admit, run)
  ]

  private static let path = "/v1/bulk"

  /// Asked before a long body is read, and again with each.
  private static func admit(_ exchange: Exchange) async throws {
    try exchange.permit()
    try exchange.checkQuery()
    try exchange.checkIdempotencyKey()
    try exchange.requireMediaType("application/x-ndjson")
  }

  private static func run(_ exchange: Exchange) async throws -> Response {
    try await admit(exchange)
    guard let dispatch = exchange.dispatch else { throw Problem(.notFound) }
    let lines = exchange.request.body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let numbered = zip(1..., lines).filter { !$1.allSatisfy { $0 == 0x20 || $0 == 0x0d || $0 == 0x09 } }
    guard numbered.count <= longest else {
      throw Problem(
        .bodyTooLarge, "The body has \(numbered.count) lines; at most \(longest) are taken. Split it.")
    }
    var answers: [UInt8] = []
    for (number, line) in numbered {
      try Task.checkCancellation()
      let answer: Response
      do {
        answer = await dispatch(try request(Array(line), number: number, of: exchange))
      } catch {
        guard let problem = Problem(telling: error) else { throw error }
        answer = ProblemWriter.response(problem)
      }
      answers += told(number, answer)
    }
    return Response(200, headers: [HeaderField(.contentType, "application/x-ndjson")], body: answers)
  }

  private struct Line: Sendable {
    let method: String
    let path: String
    let ifMatch: String?
    let idempotencyKey: String?
    let body: JSONValue?
  }

  /// The request that a line asks for, with the authority of the one that brings it.
  private static func request(_ bytes: [UInt8], number: Int, of exchange: Exchange) throws -> Request {
    var reader = try MemberReader(bytes)
    let line = Line(
      method: reader.required("method", .string(1...16)), path: reader.required("path", .string(1...4096)),
      ifMatch: reader.optional("ifMatch", .string(1...256)),
      idempotencyKey: reader.optional(
        "idempotencyKey",
        .string(1...255, expected: "1 to 255 visible ASCII characters", where: Exchange.isIdempotencyKey)),
      body: reader.optional("body", .anything))
    try reader.finish()
    guard ["POST", "PUT", "PATCH", "DELETE"].contains(line.method) else {
      throw Problem.invalid("/method", "must be one of POST, PUT, PATCH, DELETE")
    }
    guard line.path.hasPrefix("/v1/"), line.path.prefix(while: { $0 != "?" }) != path else {
      throw Problem.invalid("/path", "must begin with /v1/ and be another path than this one")
    }
    var headers: [HeaderField] = []
    if let authorization = exchange.request.header(.authorization) {
      headers.append(HeaderField(.authorization, authorization))
    }
    if let tag = line.ifMatch { headers.append(HeaderField(.ifMatch, tag)) }
    let name = line.idempotencyKey ?? exchange.idempotencyKey.map { "\($0)/\(number)" }
    if line.method == "POST", let name { headers.append(HeaderField(.idempotencyKey, name)) }
    var body: [UInt8] = []
    if let value = line.body {
      headers.append(HeaderField(.contentType, "application/json"))
      var writer = JSONWriter()
      writer.value(value)
      body = writer.bytes
    }
    return try Request(line.method, line.path, headers: headers, body: body)
  }

  private static func told(_ number: Int, _ answer: Response) -> [UInt8] {
    func header(_ name: FieldName) -> String? { answer.headers.first { $0.name == name }?.value }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("line", number)
      writer.member("status", answer.status)
      if let location = header(.location) { writer.member("location", location) }
      if let tag = header(.etag) { writer.member("etag", tag) }
      if let seconds = header(.retryAfter) { writer.member("retryAfter", seconds) }
      if header("Idempotent-Replayed") != nil { writer.member("replayed", true) }
      if !answer.body.isEmpty { writer.member("body", json: answer.body) }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}
