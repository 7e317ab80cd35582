import Cryptography
import HTTP
import Issuance
import JSON
import Licensing
import Webhooks

/// Where an organization's events are sent.
enum WebhookRoutes {
  private static let path = "/v1/organizations/{org}/webhooks"

  static let all: [Route] = [
    .admin(.post, path, for: .admin, create),
    .list(path, list),
    .admin(.get, "\(path)/{webhook}", for: .viewer) { exchange in
      try await exchange.read(webhook) { _, found in .resource(found.resource) }
    },
    .admin(.patch, "\(path)/{webhook}", for: .admin, change),
    .admin(.delete, "\(path)/{webhook}", for: .admin, delete),
    .admin(.post, "\(path)/{webhook}/rotate", for: .admin, rotate),
    .admin(.post, "\(path)/{webhook}/test", for: .admin, test),
    .admin(.post, "\(path)/{webhook}/replay", for: .admin, replay),
    .list("\(path)/{webhook}/dead-letters") { exchange in
      try await exchange.read(webhook) { desk, found in
        exchange.list(try await desk.unit.deadLetters(of: found.resource, try exchange.page()))
      }
    },
  ]

  private static let webhook = Finder<Owned<Webhook>>.owned { organization, exchange, unit, locked in
    guard let id = Identifier(exchange.parameters["webhook"]) else { return nil }
    return try await unit.webhook(id, of: organization.record.key, locked: locked)
  }

  private static func create(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(.organization) { desk, organization in
      let (record, url, types) = try exchange.body { [services = exchange.services] reader in
        (
          reader.newRecord(try services.newID()),
          reader.required("url", Self.url(services.webhooks.addresses)),
          reader.optional("types", Self.types) ?? []
        )
      }
      let secret = try exchange.services.random(32)
      let webhook = try await desk.unit.insert(
        NewWebhook(
          record: record, organization: organization.record.key, url: url, types: types,
          sealedSecret: try exchange.services.webhooks.keys.seal(webhookSecret: secret, of: record.id)))
      try await tell("webhook.created", Owned(webhook, of: organization), desk)
      return resource(webhook, secret, madeAt: "\(organization.path)/webhooks/\(record.id)")
    }
  }

  private static func list(_ exchange: Exchange) async throws -> Response {
    try await exchange.read(.organization) { desk, organization in
      exchange.list(try await desk.unit.webhooks(of: organization.record.key, try exchange.page()))
    }
  }

  private static func change(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(webhook) { desk, found in
      let changed = try exchange.body { [services = exchange.services] reader in
        var changed = found.resource
        reader.replace("url", Self.url(services.webhooks.addresses), &changed.url)
        reader.replace("types", Self.types, &changed.types)
        reader.replace("status", .one(of: .active, .suspended), &changed.status)
        reader.patch(&changed.record)
        return changed
      }
      try exchange.requireMatch(found.resource.record)
      let stored = try await desk.unit.update(changed)
      try await tell("webhook.updated", Owned(stored, of: found.organization), desk)
      return .resource(stored)
    }
  }

  private static func delete(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(webhook) { desk, found in
      try exchange.requireMatch(found.resource.record)
      var ended = found.resource
      ended.status = .deleted
      _ = try await desk.unit.update(ended)
      try await tell("webhook.deleted", found, desk)
      return .noContent
    }
  }

  private static func rotate(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(webhook) { desk, found in
      let seconds = try exchange.body(isOptional: true) { reader in
        reader.optional("overlapSeconds", .integer(0...2_592_000)) ?? 86_400
      }
      let secret = try exchange.services.random(32)
      let stored = try await desk.unit.rotate(
        found.resource,
        sealedSecret: try exchange.services.webhooks.keys.seal(
          webhookSecret: secret, of: found.resource.record.id), overlapSeconds: seconds)
      try await tell("webhook.rotated", found, desk)
      return resource(stored, secret)
    }
  }

  /// An event as any other, in its turn; only this webhook is sent it.
  private static func test(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(webhook) { desk, found in
      try exchange.body(isOptional: true) { _ in }
      try await tell(WebhookTest.type, found, desk)
      return .noContent
    }
  }

  private static func replay(_ exchange: Exchange) async throws -> Response {
    try await exchange.write(webhook) { desk, found in
      let position = try exchange.body { reader in
        reader.required("from", .integer(1...Int64.max))
      }
      let stored = try await desk.unit.replay(found.resource, from: position)
      try await tell("webhook.replayed", found, desk)
      return .resource(stored)
    }
  }

  private static func tell(_ type: String, _ webhook: Owned<Webhook>, _ desk: Desk) async throws {
    try await desk.record(
      type, of: webhook.organization, ["webhook": webhook.resource.record.id.description])
  }

  /// With its secret, which is shown this once.
  private static func resource(
    _ webhook: Webhook, _ secret: [UInt8], madeAt location: String? = nil
  ) -> Response {
    let made = location.map { [HeaderField(.location, $0)] } ?? []
    return .json(
      location == nil ? 200 : 201, headers: [HeaderField(.etag, webhook.entityTag)] + made
    ) { writer in
      writer.object { writer in
        webhook.writeMembers(to: &writer)
        writer.member("secret", "whsec_" + Base64.encode(secret))
      }
    }
  }

  private static let types = Shape<[String]>.array(
    of: .string(
      1...64, expected: "a type of event, such as seat.granted, or all of a resource, such as seat.*"
    ) {
      $0.wholeMatch(of: /[A-Za-z]+\.([A-Za-z]+|\*)/) != nil
    }, count: 0...64)

  private static func url(_ addresses: AddressPolicy) -> Shape<String> {
    let schemes = addresses == .any ? ["https://", "http://"] : ["https://"]
    return .string(1...2048, expected: "a URL that begins with \(schemes.joined(separator: " or "))") {
      text in
      schemes.contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
        && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x3c && $0 != 0x3e }
    }
  }
}
