/// Where an organization's events are sent.
public struct Webhook: Sendable {
  public enum Status: Int16, Sendable, CaseIterable {
    case active = 1
    case suspended, deleted
  }

  public var record: Record<Webhook>
  public let organization: Key<Organization>
  public var url: String
  /// Empty: all; `seat.*` is every one of a resource.
  public var types: [String]
  public var status: Status
  /// Up to here in the chain everything was delivered, passed over or given up.
  public let position: Int64
  /// At the event that follows.
  public let attempts: Int32
  /// Not before.
  public let attemptAt: Instant
  /// Of the last attempt; nil when it succeeded.
  public let lastError: String?

  public init(
    record: Record<Webhook>, organization: Key<Organization>, url: String, types: [String], status: Status,
    position: Int64, attempts: Int32, attemptAt: Instant, lastError: String?
  ) {
    self.record = record
    self.organization = organization
    self.url = url
    self.types = types
    self.status = status
    self.position = position
    self.attempts = attempts
    self.attemptAt = attemptAt
    self.lastError = lastError
  }
}

public struct NewWebhook: Sendable {
  public var record: NewRecord
  public var organization: Key<Organization>
  public var url: String
  public var types: [String]
  public var sealedSecret: [UInt8]

  public init(
    record: NewRecord, organization: Key<Organization>, url: String, types: [String], sealedSecret: [UInt8]
  ) {
    self.record = record
    self.organization = organization
    self.url = url
    self.types = types
    self.sealedSecret = sealedSecret
  }
}

/// An event that a receiver has not taken however often it was sent.
public struct DeadLetter: Sendable, Hashable {
  /// In the chain.
  public let position: Int64
  public let attempts: Int32
  public let error: String
  public let at: Instant

  public init(position: Int64, attempts: Int32, error: String, at: Instant) {
    self.position = position
    self.attempts = attempts
    self.error = error
    self.at = at
  }
}

/// The secrets of a webhook, sealed.
public struct SealedWebhook: Sendable {
  public let organization: Key<Organization>
  public let key: Key<Webhook>
  public let id: Identifier
  /// The one that signs, and while they overlap the one before it.
  public let secrets: [[UInt8]]

  public init(organization: Key<Organization>, key: Key<Webhook>, id: Identifier, secrets: [[UInt8]]) {
    self.organization = organization
    self.key = key
    self.id = id
    self.secrets = secrets
  }
}

public protocol WebhookRepository: Sendable {
  func webhook(_ id: Identifier, of organization: Key<Organization>, locked: Bool) async throws(StorageError)
    -> Webhook?
  func webhooks(of organization: Key<Organization>, _ page: PageRequest) async throws(StorageError) -> Page<
    Webhook
  >
  /// It begins after the events that are sealed now.
  func insert(_ new: NewWebhook) async throws(StorageError) -> Webhook
  /// What of it can be changed.
  func update(_ webhook: Webhook) async throws(StorageError) -> Webhook
  /// The secret before signs for so many seconds beside the new one.
  func rotate(_ webhook: Webhook, sealedSecret: [UInt8], overlapSeconds: Int64) async throws(StorageError)
    -> Webhook
  /// In the order of their positions.
  func deadLetters(of webhook: Webhook, _ page: PageRequest) async throws(StorageError) -> Page<DeadLetter>
  /// Sends everything from this position on again, in order.
  func replay(_ webhook: Webhook, from position: Int64) async throws(StorageError) -> Webhook
  /// Every webhook with its secrets.
  func sealedWebhooks() async throws(StorageError) -> [SealedWebhook]
  func reseal(_ webhook: SealedWebhook, _ secrets: [[UInt8]]) async throws(StorageError)
}
