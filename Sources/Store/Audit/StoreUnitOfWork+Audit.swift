import Issuance
import Licensing

extension StoreUnitOfWork {
  func now() async throws(StorageError) -> Instant { try await one(ReadTime()) }

  func record(_ event: AuditEvent) async throws(StorageError) { _ = try await run(RecordEvent(event: event)) }

  func announce(_ change: Change) async throws(StorageError) {
    _ = try await run(AnnounceChange(change: change))
  }

  func act(by certificate: Key<CertificateRecord>) async throws(StorageError) {
    _ = try await run(NameCertificate(certificate: certificate))
  }

  func events(
    _ request: EventRequest
  ) async throws(StorageError) -> (events: [RecordedEvent], hasMore: Bool) {
    let events = try await run(ListEvents(request: request))
    return (Array(events.prefix(request.limit)), events.count > request.limit)
  }

  func chain(of organization: Key<Organization>?) async throws(StorageError) -> EventChain {
    try await one(ReadChains(organization: organization ?? Key(0))).chain
  }
}
