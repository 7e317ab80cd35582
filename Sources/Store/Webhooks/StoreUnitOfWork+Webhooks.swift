import Licensing

extension StoreUnitOfWork {
  func webhook(
    _ id: Identifier, of organization: Key<Organization>, locked: Bool
  ) async throws(StorageError) -> Webhook? {
    if locked { _ = try await run(LockWebhook(organization: organization, id: id)) }
    return try await first(FindWebhook(organization: organization, id: id))
  }

  func webhooks(
    of organization: Key<Organization>, _ page: PageRequest
  ) async throws(StorageError) -> Page<Webhook> {
    try await self.page(ListWebhooks(organization: organization, page: page), page) {
      $0.record.key.rawValue
    }
  }

  func insert(_ new: NewWebhook) async throws(StorageError) -> Webhook {
    try await one(InsertWebhook(new: new))
  }

  func update(_ webhook: Webhook) async throws(StorageError) -> Webhook {
    try await one(UpdateWebhook(webhook: webhook))
  }

  func rotate(
    _ webhook: Webhook, sealedSecret: [UInt8], overlapSeconds: Int64
  ) async throws(StorageError) -> Webhook {
    try await one(
      RotateWebhook(webhook: webhook, sealedSecret: sealedSecret, overlapSeconds: overlapSeconds))
  }

  func deadLetters(
    of webhook: Webhook, _ page: PageRequest
  ) async throws(StorageError) -> Page<DeadLetter> {
    try await self.page(ListDeadLetters(webhook: webhook, page: page), page) { $0.position }
  }

  func replay(_ webhook: Webhook, from position: Int64) async throws(StorageError) -> Webhook {
    try await one(ReplayWebhook(webhook: webhook, position: position))
  }

  func sealedWebhooks() async throws(StorageError) -> [SealedWebhook] {
    try await run(ReadSealedWebhooks())
  }

  func reseal(_ webhook: SealedWebhook, _ secrets: [[UInt8]]) async throws(StorageError) {
    _ = try await run(ResealWebhook(webhook: webhook, secrets: secrets))
  }
}
