import Cryptography
import Fixtures
import Foundation
import Issuance
import JSON
import Licensing
import PKIX
import Reactor
import TLS
import Testing
import Webhooks

@testable import Store

/// Events reach their receiver at least once and in order, by real requests, whatever it does meanwhile.
@Suite struct WebhookDeliveryTests {
  /// An organization with a webhook, and a clock that the test moves.
  private struct Site: Sendable {
    let office: Office
    let sender: CurlSender
    let clock: Lock<Instant>
    let webhook: Webhook
    static let secret = [UInt8](repeating: 5, count: 32)

    var delivery: WebhookDelivery {
      WebhookDelivery(
        queue: StoreDeliveryQueue(office.store.client), sender: sender, open: { $0.secrets },
        clock: { clock.withLock { $0 } })
    }

    func pass(seconds: Int64) { clock.withLock { $0 = $0.adding(seconds: seconds) } }

    /// Writes and seals so many events.
    func record(_ count: Int) async throws {
      for number in 0..<count {
        try await office.store.units.transact {
          try await $0.record(
            AuditEvent("test.\(number)", organization: office.organization.record.key, actor: .machine))
        }
      }
      try await office.store.sealAll()
    }

    func deliver() async throws { while try await delivery.step() {} }

    func stored() async throws -> Webhook {
      try await office.store.units.read {
        try #require(
          try await $0.webhook(webhook.record.id, of: office.organization.record.key, locked: false))
      }
    }

    func deadLetters() async throws -> [DeadLetter] {
      try await office.store.units.read { try await $0.deadLetters(of: webhook, PageRequest()).elements }
    }
  }

  private func withSite(
    url: String, types: [String] = [], policy: AddressPolicy = .any, authorities: String? = nil,
    timeout: Duration = .seconds(60),
    _ body: (Site) async throws -> Void
  ) async throws {
    try await TestStore.withStore { store in
      let office = try await Office(in: store)
      let webhook = try await store.units.transact {
        try await $0.insert(
          NewWebhook(
            record: TestStore.newRecord(), organization: office.organization.record.key, url: url,
            types: types, sealedSecret: Site.secret))
      }
      let sender = try CurlSender(policy, authorities: authorities, timeout: timeout, count: 2)
      defer { sender.shutdown() }
      // Ahead of the database, however slow the machine is: what is changed is due by its clock.
      let now = Instant(microseconds: WallClock.microseconds).adding(seconds: 900)
      try await body(Site(office: office, sender: sender, clock: Lock(now), webhook: webhook))
    }
  }

  private func positions(_ visits: [Receiver.Visit]) throws -> [Int64] {
    try visits.map { visit in
      guard case .integer(let position)? = try JSONValue(parsing: Array(visit.body.utf8))["data"]?["position"]
      else { return 0 }
      return position
    }
  }

  private func isSigned(_ visit: Receiver.Visit, by secret: [UInt8]) throws -> Bool {
    let (id, time) = (visit.headers["webhook-id"] ?? "", visit.headers["webhook-timestamp"] ?? "")
    let code = try HMAC.sha256(Array("\(id).\(time).\(visit.body)".utf8), key: secret)
    let signatures = visit.headers["webhook-signature"]?.split(separator: " ") ?? []
    return signatures.contains { $0 == "v1,\(Base64.encode(code))" }
  }

  @Test func `each event arrives once, in order and signed, and those that nobody asked for do not`()
    async throws
  {
    let receiver = try Receiver()
    defer { receiver.stop() }
    try await withSite(url: receiver.url, types: ["test.1", "other.*"]) { site in
      try await site.record(3)
      try await site.deliver()
      #expect(try positions(receiver.visits) == [2])
      _ = try await site.office.store.units.transact { unit in
        var changed = site.webhook
        changed.types = ["test.*"]
        return try await unit.update(changed)
      }
      try await site.record(4)
      try await site.deliver()
      #expect(try positions(receiver.visits) == [2, 4, 5, 6, 7])
      for visit in receiver.visits { #expect(try isSigned(visit, by: Site.secret), "\(visit)") }
      #expect(Set(receiver.visits.map { $0.headers["webhook-id"] }).count == 5)
      let stored = try await site.stored()
      #expect(stored.position == 7 && stored.attempts == 0 && stored.lastError == nil)
      #expect(stored.record.revision == 2, "deliveries are no change of the resource")
    }
  }

  @Test func `a receiver that was down for ten minutes gets everything, in order`() async throws {
    let down = try Receiver()
    down.stop()
    try await withSite(url: down.url) { site in
      try await site.record(3)
      let begin = site.clock.withLock { $0 }
      while site.clock.withLock({ $0 }).microseconds(since: begin) < 600_000_000 {
        try await site.deliver()
        site.pass(seconds: 5)
      }
      let waiting = try await site.stored()
      #expect(waiting.position == 0 && (3...5).contains(waiting.attempts) && waiting.lastError != nil)
      let receiver = try Receiver(port: down.port)
      defer { receiver.stop() }
      try await site.deliver()
      #expect(receiver.visits.isEmpty, "not before its time")
      site.pass(seconds: 1800)
      try await site.deliver()
      #expect(try positions(receiver.visits) == [1, 2, 3])
    }
  }

  @Test func `what is refused for a day is a dead letter, the next follows, and a replay sends all again`()
    async throws
  {
    let isWilling = Lock(false)
    let receiver = try Receiver { visit in
      visit.body.contains("test.0") && !isWilling.withLock { $0 } ? "500 No" : "200 OK"
    }
    defer { receiver.stop() }
    try await withSite(url: receiver.url) { site in
      try await site.record(3)
      try await site.deliver()
      for pause in WebhookDelivery.pauses {
        #expect(try await site.deadLetters().isEmpty)
        site.pass(seconds: pause)
        try await site.deliver()
      }
      #expect(try positions(receiver.visits) == [Int64](repeating: 1, count: 11) + [2, 3])
      let letters = try await site.deadLetters()
      #expect(letters.map(\.position) == [1] && letters.first?.attempts == 11)
      #expect(letters.first?.error == "the answer was 500")
      isWilling.withLock { $0 = true }
      _ = try await site.office.store.units.transact { try await $0.replay(site.webhook, from: 1) }
      try await site.deliver()
      #expect(try positions(receiver.visits).suffix(3) == [1, 2, 3])
      #expect(try await site.deadLetters().isEmpty)
    }
  }

  @Test func `a redirect is not followed, and who never answers is given up`() async throws {
    let target = try Receiver()
    defer { target.stop() }
    let receiver = try Receiver { [url = target.url] visit in
      visit.path == "/slow" ? nil : "307 Elsewhere\r\nLocation: \(url)"
    }
    defer { receiver.stop() }
    for (path, error) in [("", "the answer was 307"), ("slow", "Timeout was reached")] {
      try await withSite(url: receiver.url + path, timeout: .milliseconds(path.isEmpty ? 60_000 : 500)) {
        site in
        try await site.record(1)
        try await site.deliver()
        #expect(try await site.stored().lastError == error)
      }
    }
    #expect(target.visits.isEmpty && receiver.visits.count == 2)
  }

  @Test(arguments: ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"])
  func `no connection is made to an address of one's own, whatever the name`(host: String) async throws {
    let receiver = try Receiver()
    defer { receiver.stop() }
    try await withSite(url: "https://\(host):\(receiver.port)/", policy: .public) { site in
      try await site.record(1)
      try await site.deliver()
      let error = try await site.stored().lastError
      #expect(error?.hasPrefix("no request is sent to ") == true, "\(error ?? "none")")
    }
    #expect(receiver.visits.isEmpty)
  }

  @Test func `plain HTTP is not spoken to the open internet`() async throws {
    try await withSite(url: "http://192.0.2.1/", policy: .public) { site in
      try await site.record(1)
      try await site.deliver()
      #expect(try await site.stored().lastError == "Unsupported protocol")
    }
  }

  @Test func `several servers at once keep the order`() async throws {
    let receiver = try Receiver()
    defer { receiver.stop() }
    try await withSite(url: receiver.url) { site in
      try await site.record(25)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { try await site.deliver() } }
        try await group.waitForAll()
      }
      try await site.deliver()
      #expect(try positions(receiver.visits) == Array(1...25))
    }
  }

  @Test func `a server that stops waits for no receiver, and holds nothing against it`() async throws {
    let receiver = try Receiver { _ in nil }
    defer { receiver.stop() }
    try await withSite(url: receiver.url, timeout: .seconds(3600)) { site in
      try await site.record(1)
      let work = Task { _ = try await site.delivery.step() }
      let deadline = MonotonicInstant.now.advanced(by: .seconds(60))
      while receiver.visits.isEmpty, MonotonicInstant.now < deadline { await Task.yield() }
      work.cancel()
      site.sender.stop()
      try await work.value
      let stored = try await site.stored()
      #expect(stored.attempts == 0 && stored.position == 0 && stored.lastError == nil)
      #expect(receiver.visits.count == 1)
    }
  }

  @Test(arguments: [true, false])
  func `a receiver over HTTPS is known by its certificate, under the CAs that are named`(isKnown: Bool)
    async throws
  {
    let authority = try TestAuthority.root("Receivers")
    let identity = try authority.server()
    let answer = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
    let server = try ScriptedServer(
      ServerContext(
        credential: Credential(chain: [identity.certificate], privateKey: identity.key),
        clientCertificates: .none),
      [ScriptedServer.Act(answers: [answer])])
    let folder = try TemporaryFolder()
    let named = isKnown ? authority : try TestAuthority.root("Others")
    let file = try folder.write(named.certificate.pem, to: "ca.pem")
    try await withSite(url: server.url, authorities: file) { site in
      try await site.record(1)
      try await site.deliver()
      let stored = try await site.stored()
      #expect(stored.position == (isKnown ? 1 : 0), "\(stored.lastError ?? "")")
      #expect(server.requests.count == (isKnown ? 1 : 0))
      #expect((stored.lastError ?? "").contains("certificate") == !isKnown, "\(stored.lastError ?? "")")
    }
  }

  @Test func `while secrets overlap both sign, and then the new one alone`() async throws {
    let receiver = try Receiver()
    defer { receiver.stop() }
    try await withSite(url: receiver.url) { site in
      let fresh = [UInt8](repeating: 6, count: 32)
      _ = try await site.office.store.units.transact {
        try await $0.rotate(site.webhook, sealedSecret: fresh, overlapSeconds: 3600)
      }
      try await site.record(1)
      try await site.deliver()
      site.pass(seconds: 7200)
      try await site.record(1)
      try await site.deliver()
      let visits = receiver.visits
      #expect(visits.count == 2)
      for visit in visits { #expect(try isSigned(visit, by: fresh)) }
      #expect(try visits.map { try isSigned($0, by: Site.secret) } == [true, false])
    }
  }
}
