import Issuance
import Licensing

extension StoreUnitOfWork {
  func insert(
    _ facts: CertificateFacts, authority: Authority, identity: Key<Identity>, origin: CertificateOrigin?
  ) async throws(StorageError) -> CertificateRecord {
    let key = try await one(
      InsertCertificate(facts: facts, authority: authority, identity: identity, origin: origin))
    return try await one(ReadCertificate(certificate: key))
  }

  func certificates(
    _ reference: CertificateReference, of organization: Key<Organization>, locked: Bool
  ) async throws(StorageError) -> [CertificateRecord] {
    let found = try await find(reference, of: organization)
    guard locked, !found.isEmpty else { return found }
    for certificate in found {
      _ = try await run(LockCertificate(organization: organization, certificate: certificate.key))
    }
    return try await find(reference, of: organization)
  }

  private func find(
    _ reference: CertificateReference, of organization: Key<Organization>
  ) async throws(StorageError) -> [CertificateRecord] {
    switch reference {
    case .fingerprint(let fingerprint):
      try await run(FindCertificatesByFingerprint(organization: organization, fingerprint: fingerprint))
    case .serialNumber(let serialNumber):
      try await run(FindCertificatesBySerialNumber(organization: organization, serialNumber: serialNumber))
    }
  }

  func certificates(
    of identity: Key<Identity>, organization: Key<Organization>, _ page: PageRequest
  ) async throws(StorageError) -> Page<CertificateRecord> {
    try await self.page(
      ListCertificates(organization: organization, identity: identity, page: page), page, key: \.key.rawValue)
  }

  func certificate(_ key: Key<CertificateRecord>) async throws(StorageError) -> CertificateRecord? {
    try await first(ReadCertificate(certificate: key))
  }

  func revoke(
    _ certificate: Key<CertificateRecord>, organization: Key<Organization>, reason: RevocationReason
  ) async throws(StorageError) {
    _ = try await run(RevokeCertificate(organization: organization, certificate: certificate, reason: reason))
  }

  func history(
    ofKey spki: [UInt8], organization: Key<Organization>
  ) async throws(StorageError) -> KeyHistory {
    try await one(FindKeyHistory(organization: organization, spki: spki))
  }

  func successors(
    of certificate: Key<CertificateRecord>, organization: Key<Organization>
  ) async throws(StorageError) -> [Successor] {
    try await run(FindSuccessors(organization: organization, certificate: certificate))
  }

  func certificate(
    ofKey spki: [UInt8], enrolledBy enrollment: Key<Enrollment>
  ) async throws(StorageError) -> CertificateRecord? {
    try await first(FindEnrolledCertificate(spki: spki, enrollment: enrollment))
  }

  func use(
    _ certificates: [Key<CertificateRecord>], organization: Key<Organization>
  ) async throws(StorageError) -> [Key<CertificateRecord>] {
    try await run(UseCertificates(organization: organization, certificates: certificates))
  }
}
