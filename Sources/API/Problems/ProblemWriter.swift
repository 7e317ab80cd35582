public import HTTP
import JSON
import Licensing
import Telemetry

/// The one place where an error becomes an answer (RFC 9457).
public struct ProblemWriter: Sendable {
  private let services: Services

  public init(services: Services) { self.services = services }

  /// Tells the client what `error` may tell it; what it may not goes to the log under a reference that the client gets.
  public func response(to error: any Error) -> Response {
    if let problem = Problem(telling: error) { return Self.response(problem) }
    let reference = (try? services.newID().description) ?? "none"
    services.logger.error(
      "a request failed", ["reference": .text(reference), "error": .text(String(describing: error))])
    return Self.response(
      Problem(.internalError, extensions: [Problem.Extension("reference", .string(reference))]))
  }

  /// The answer to bytes that are no request; nobody knows where the next one would begin, so it closes.
  public func response(to failure: RequestFailure) -> Response {
    var response = response(to: failure as any Error)
    response.closes = true
    return response
  }

  /// `application/problem+json`.
  static func response(_ problem: Problem) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", "/problems/\(problem.code)")
      writer.member("title", problem.title)
      writer.member("status", problem.status)
      if let detail = problem.detail { writer.member("detail", detail) }
      writer.member("code", problem.code)
      if !problem.errors.isEmpty {
        writer.member("errors", array: problem.errors) { writer, error in
          writer.object { writer in
            writer.member("pointer", error.pointer)
            writer.member("detail", error.detail)
          }
        }
      }
      if let url = problem.contactURL { writer.member("contactUrl", url) }
      for member in problem.extensions { writer.member(member) }
    }
    return Response(
      problem.status, headers: [HeaderField(.contentType, "application/problem+json")] + problem.headers,
      body: writer.bytes)
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ member: Problem.Extension) {
    switch member.value {
    case .string(let text): self.member(member.name, text)
    case .integer(let number): self.member(member.name, number)
    case .boolean(let truth): self.member(member.name, truth)
    case .objects(let objects):
      self.member(member.name, array: objects) { writer, members in
        writer.object { writer in
          for member in members { writer.member(member) }
        }
      }
    }
  }
}
