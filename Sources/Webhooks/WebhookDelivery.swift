internal import Audit
internal import Cryptography
internal import JSON
public import Licensing

/// Sends sealed events to webhooks: of each webhook in order, again and again until its receiver has taken the event or
/// the last attempt has failed.
public struct WebhookDelivery: Sendable {
  /// After each failed attempt, in seconds: more than a day in all. After the last the event is a dead letter.
  public static let pauses: [Int64] = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200]
  /// For so long a webhook belongs to the server that took it; longer than any attempt.
  private static let tenure: Int64 = 60

  private let queue: any DeliveryQueue
  private let sender: any WebhookSender
  private let open: @Sendable (SealedWebhook) throws -> [[UInt8]]
  private let clock: @Sendable () -> Instant

  public init(
    queue: any DeliveryQueue, sender: any WebhookSender,
    open: @escaping @Sendable (SealedWebhook) throws -> [[UInt8]], clock: @escaping @Sendable () -> Instant
  ) {
    self.queue = queue
    self.sender = sender
    self.open = open
    self.clock = clock
  }

  /// Takes one webhook whose time has come, and sends what it is due; false when nothing was.
  public func step() async throws -> Bool {
    let now = clock()
    guard let webhook = try await queue.take(at: now, until: now.adding(seconds: Self.tenure)) else {
      return false
    }
    if try await deliver(webhook) { try await queue.release(webhook) }
    // What follows may have been dropped because of its age, and nothing sealed since.
    return !webhook.events.isEmpty
  }

  /// Whether it is still ours.
  private func deliver(_ webhook: DueWebhook) async throws -> Bool {
    var (position, attempts) = (webhook.position, webhook.attempts)
    for (seal, event) in webhook.events {
      if Task.isCancelled { break }
      if let event, webhook.wants(event) {
        do {
          try await sender.send(request(event, to: webhook))
        } catch let failure as WebhookFailure {
          // The receiver is not to blame: another server tries at once.
          if Task.isCancelled { return true }
          attempts += 1
          let now = clock()
          if Int(attempts) <= Self.pauses.count {
            let next = now.adding(seconds: Self.pauses[Int(attempts) - 1])
            _ = try await queue.postpone(
              webhook, at: position, attempts: attempts, until: next, error: failure.description)
            return false
          }
          let letter = DeadLetter(
            position: seal.position, attempts: attempts, error: failure.description, at: now)
          guard try await queue.bury(webhook, at: position, letter) else { return false }
          (position, attempts) = (seal.position, 0)
          continue
        }
      }
      let now = clock()
      let isOurs = try await queue.advance(
        webhook, from: position, to: seal.position, at: now, until: now.adding(seconds: Self.tenure))
      guard isOurs else { return false }
      (position, attempts) = (seal.position, 0)
    }
    return true
  }

  private func request(_ event: RecordedEvent, to webhook: DueWebhook) throws -> WebhookRequest {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", event.type)
      writer.member("timestamp", Timestamp(microsecondsSince1970: event.place.at.microseconds))
      writer.member("data") { writer in event.writeMembers(to: &writer) }
    }
    return WebhookRequest(
      url: webhook.url,
      headers: try WebhookSignature.headers(
        id: event.id.description, time: clock().seconds, body: writer.bytes, secrets: open(webhook.sealed)),
      body: writer.bytes)
  }
}

extension DueWebhook {
  /// Whether the event is one of those that it asked for; a test is sent to the one that is meant.
  func wants(_ event: RecordedEvent) -> Bool {
    if event.type == WebhookTest.type {
      return (try? JSONValue(parsing: event.detail))?["webhook"] == .string(sealed.id.description)
    }
    if types.isEmpty || types.contains(event.type) { return true }
    return types.contains { $0.hasSuffix(".*") && event.type.hasPrefix($0.dropLast()) }
  }
}

/// An event that says nothing but that a webhook works; its detail names the `webhook`.
public enum WebhookTest {
  public static let type = "webhook.tested"
}
