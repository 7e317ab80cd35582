import Audit
import Directory
import HTTP
import JSON
import Licensing

/// How far the chain of events has come, signed, to be kept outside: whoever alters the database later cannot alter that.
enum EventHeadRoute {
  static let all: [Route] = [
    .admin(.get, "/v1/organizations/{org}/events/head", for: .viewer) { exchange in
      try await show(exchange, .organization) { $0.record.key }
    },
    .admin(.get, "/v1/events/head", for: .operator) { exchange in
      try await show(exchange, .nothing) { nil }
    },
  ]

  private static func show<Target: Sendable>(
    _ exchange: Exchange, _ finder: Finder<Target>,
    _ organization: @escaping @Sendable (Target) -> Key<Organization>?
  ) async throws -> Response {
    let (chain, now) = try await exchange.read(finder) { desk, target in
      (try await desk.unit.chain(of: organization(target)), try await desk.unit.now())
    }
    guard let head = try ChainHead(chain, at: now) else {
      throw StorageError.fault("a digest of the chain of events is none")
    }
    let token = try exchange.services.leases.sign(head.claims, as: ChainHead.type, at: now)
    return .json(200) { writer in
      writer.object { writer in
        head.writeMembers(to: &writer)
        writer.member("at", now)
        writer.member("token", token)
      }
    }
  }
}
