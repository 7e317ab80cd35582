import Issuance
import Licensing

extension StoreUnitOfWork {
  func known(
    _ seen: [SeenCertificate], of authority: Authority
  ) async throws(StorageError) -> [KnownCertificate] {
    try await run(FindSeenCertificates(seen: seen, authority: authority))
  }

  func taken(
    _ names: [IdentityName], of organization: Key<Organization>
  ) async throws(StorageError) -> Set<IdentityName> {
    Set(try await run(FindTakenNames(organization: organization, names: names)))
  }

  func provision(
    _ new: [NewIdentity], of organization: Key<Organization>
  ) async throws(StorageError) -> [Identity] {
    let made = try await run(ProvisionIdentities(organization: organization, new: new))
    // Somebody else was first.
    guard made.count == new.count else { throw .conflict(.externalName) }
    return made
  }

  func insert(
    _ seen: [(facts: CertificateFacts, identity: Key<Identity>)], authority: Authority
  ) async throws(StorageError) -> [(key: Key<CertificateRecord>, status: CertificateRecord.Status)] {
    let rows = try await run(InsertSeenCertificates(seen: seen, authority: authority))
    let keys = Dictionary(rows) { first, _ in first }
    var certificates: [(facts: CertificateFacts, key: Key<CertificateRecord>)] = []
    for (facts, _) in seen {
      guard let key = keys[facts.fingerprint] else { throw .fault("a certificate was not inserted") }
      certificates.append((facts, key))
    }
    let revoked = try await judgeByLists(certificates, of: authority)
    return certificates.map { ($0.key, revoked.contains($0.key) ? .revoked : .active) }
  }
}
