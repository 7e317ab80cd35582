/// A webhook that has something to be sent, taken by one server for a while.
public struct DueWebhook: Sendable {
  public let sealed: SealedWebhook
  public let url: String
  public let types: [String]
  public let position: Int64
  public let attempts: Int32
  /// What follows in the chain; without an event where that was dropped.
  public let events: [(seal: EventSeal, event: RecordedEvent?)]

  public init(
    sealed: SealedWebhook, url: String, types: [String], position: Int64, attempts: Int32,
    events: [(seal: EventSeal, event: RecordedEvent?)]
  ) {
    self.sealed = sealed
    self.url = url
    self.types = types
    self.position = position
    self.attempts = attempts
    self.events = events
  }
}

/// What is to be sent to webhooks. Each step names the position that it was taken at: false where it has moved since.
public protocol DeliveryQueue: Sendable {
  /// One whose time has come and that nobody else is at; until `end` it is the caller's.
  func take(at now: Instant, until end: Instant) async throws(StorageError) -> DueWebhook?
  /// Everything up to `position` was taken by the receiver, or does not concern it.
  func advance(_ webhook: DueWebhook, from: Int64, to position: Int64, at now: Instant, until end: Instant)
    async throws(StorageError) -> Bool
  /// The event after `position` was not taken: not again before `next`.
  func postpone(
    _ webhook: DueWebhook, at position: Int64, attempts: Int32, until next: Instant, error: String
  )
    async throws(StorageError) -> Bool
  /// The event after `position` is given up.
  func bury(_ webhook: DueWebhook, at position: Int64, _ letter: DeadLetter) async throws(StorageError)
    -> Bool
  func release(_ webhook: DueWebhook) async throws(StorageError)
}
