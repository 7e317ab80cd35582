public import Licensing

/// One transaction over licenses and trust alike.
public protocol IssuanceUnitOfWork: UnitOfWork, AuthorityRepository, CertificateRepository,
  EnrollmentRepository, RevocationListRepository, LeaseKeyRepository
{
  /// Says which certificate the actor showed: every audit row that the transaction writes from here on names it.
  func act(by certificate: Key<CertificateRecord>) async throws(StorageError)
}

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
