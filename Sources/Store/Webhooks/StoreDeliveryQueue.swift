public import Licensing
public import Postgres

/// The queue of each webhook: the sealed events after its position.
public struct StoreDeliveryQueue: DeliveryQueue {
  /// Taken at once.
  static let most: Int64 = 100

  private let client: PostgresClient

  public init(_ client: PostgresClient) { self.client = client }

  public func take(at now: Instant, until end: Instant) async throws(StorageError) -> DueWebhook? {
    try await stating { () throws(PostgresError) in
      guard let taken = try await client.commit(TakeWebhook(now: now, end: end)).first else {
        return nil as DueWebhook?
      }
      let events = try await client.read(
        ReadSealed(organization: taken.sealed.organization, after: taken.position, limit: Self.most))
      return DueWebhook(
        sealed: taken.sealed, url: taken.url, types: taken.types, position: taken.position,
        attempts: taken.attempts, events: events)
    }
  }

  public func advance(
    _ webhook: DueWebhook, from: Int64, to position: Int64, at now: Instant, until end: Instant
  ) async throws(StorageError) -> Bool {
    try await holds(AdvanceWebhook(webhook: webhook.sealed, from: from, to: position, now: now, end: end))
  }

  public func postpone(
    _ webhook: DueWebhook, at position: Int64, attempts: Int32, until next: Instant, error: String
  ) async throws(StorageError) -> Bool {
    try await holds(
      PostponeWebhook(
        webhook: webhook.sealed, position: position, attempts: attempts, next: next, error: error))
  }

  public func bury(
    _ webhook: DueWebhook, at position: Int64, _ letter: DeadLetter
  ) async throws(StorageError) -> Bool {
    try await holds(BuryEvent(webhook: webhook.sealed, position: position, letter: letter))
  }

  public func release(_ webhook: DueWebhook) async throws(StorageError) {
    try await stating { () throws(PostgresError) in
      _ = try await client.commit(ReleaseWebhook(webhook: webhook.sealed))
    }
  }

  private func holds<S: Statement>(_ statement: S) async throws(StorageError) -> Bool where S.Row == Bool {
    try await stating { () throws(PostgresError) in try await client.commit(statement).first ?? false }
  }
}
