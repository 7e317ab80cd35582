import Licensing

extension StoreUnitOfWork {
  func now() async throws(StorageError) -> Instant { try await one(ReadTime()) }

  func record(_ event: AuditEvent) async throws(StorageError) { _ = try await run(RecordEvent(event: event)) }

  func announce(_ change: Change) async throws(StorageError) {
    _ = try await run(AnnounceChange(change: change))
  }
}
