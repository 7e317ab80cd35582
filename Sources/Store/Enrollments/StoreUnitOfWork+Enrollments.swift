import Issuance
import Licensing

extension StoreUnitOfWork {
  func enrollment(
    tokenHash: [UInt8], locked: Bool
  ) async throws(StorageError) -> (enrollment: Enrollment, organization: Organization)? {
    if locked { _ = try await run(LockEnrollment(tokenHash: tokenHash)) }
    return try await first(FindEnrollmentByToken(tokenHash: tokenHash))
  }

  func enrollment(
    _ id: Identifier, of organization: Key<Organization>
  ) async throws(StorageError) -> Enrollment? {
    try await first(FindEnrollment(organization: organization, id: id))
  }

  func enrollments(
    of organization: Key<Organization>, _ page: PageRequest
  ) async throws(StorageError) -> Page<Enrollment> {
    try await self.page(ListEnrollments(organization: organization, page: page), page) {
      $0.record.key.rawValue
    }
  }

  func insert(_ new: NewEnrollment) async throws(StorageError) -> Enrollment {
    let key = try await one(InsertEnrollment(new: new))
    return try await one(ReadEnrollment(organization: new.organization, enrollment: key))
  }

  func spend(
    _ enrollment: Key<Enrollment>, spki: [UInt8], certificate: Key<CertificateRecord>
  ) async throws(StorageError) {
    _ = try await run(SpendEnrollment(enrollment: enrollment, spki: spki, certificate: certificate))
  }

  func revoke(_ enrollment: Key<Enrollment>) async throws(StorageError) {
    _ = try await run(RevokeEnrollment(enrollment: enrollment))
  }
}
