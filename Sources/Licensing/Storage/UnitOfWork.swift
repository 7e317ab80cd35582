/// One transaction: every effect, its audit rows and its changes commit together or not at all.
public protocol UnitOfWork: OrganizationRepository, ProductRepository, LicenseRepository, IdentityRepository,
  TokenRepository, SeatRepository, ReservationRepository, ConfigRepository, UsageRepository, AnswerRepository,
  EventRepository, SetupRepository, WebhookRepository
{
  /// The transaction's time by the database's clock.
  func now() async throws(StorageError) -> Instant
  /// From here on the transaction sees and writes the rows of this organization alone, whatever its statements say.
  func confine(to organization: Key<Organization>) async throws(StorageError)
  func record(_ event: AuditEvent) async throws(StorageError)
  func announce(_ change: Change) async throws(StorageError)
}
