import HTTP
import JSON
import Licensing

/// How a license is used, minute by minute.
enum UsageRoutes {
  static let all: [Route] = [
    .list("/v1/organizations/{org}/usage", filters: ["license", "from", "to"], list)
  ]

  /// The last day unless `from` and `to` say otherwise.
  private static func list(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.organization) { desk, organization in
      guard let id = exchange.query("license").flatMap({ Identifier($0) }),
        let license = try await desk.unit.license(id, of: organization.record.key, locked: false)
      else { throw Problem.invalid("?license", "must be the id of a license of the organization") }
      let now = try await desk.unit.now()
      let to = try exchange.queryTime("to") ?? now
      let from = try exchange.queryTime("from") ?? to.adding(seconds: -86_400)
      guard from < to else { throw Problem.invalid("?to", "must be later than ?from") }
      let page = try await desk.unit.usage(of: license, from: from, to: to, try exchange.page())
      let mark = try await desk.unit.highWaterMark(of: license)
      return .json(200) { writer in
        writer.object { writer in
          writer.member("highWaterMark") { writer in
            writer.member("seats", mark?.seats ?? 0)
            writer.member("minute", mark?.minute)
          }
          writer.member("data", array: page.elements) { writer, minute in minute.write(to: &writer) }
          writer.member("next", page.next.map { Cursor(list: exchange.list, after: $0).description })
        }
      }
    }
  }
}

extension UsageMinute: Representation {
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("minute", minute)
    writer.member("peak", peak)
    writer.member("held", held)
    writer.member("grants", grants)
    writer.member("denials") { writer in
      for (reason, count) in denials.sorted(by: { $0.key < $1.key }) { writer.member(reason, count) }
    }
  }
}
