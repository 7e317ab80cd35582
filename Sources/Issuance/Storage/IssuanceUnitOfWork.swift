public import Licensing

/// One transaction over licenses and trust alike.
public protocol IssuanceUnitOfWork: UnitOfWork, AuthorityRepository, CertificateRepository,
  EnrollmentRepository, RevocationListRepository, LeaseKeyRepository
{}

/// Where units of work come from.
public protocol UnitsOfWork: Sendable {
  /// Runs `body` in one transaction and commits; a thrown error rolls everything back and is thrown on.
  ///
  /// Thrown by the storage itself: `StorageError`. The body may run only once.
  func transact<Result: Sendable>(
    _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
  ) async throws -> Result

  /// The same over one read-only snapshot.
  func read<Result: Sendable>(
    _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
  ) async throws -> Result
}
