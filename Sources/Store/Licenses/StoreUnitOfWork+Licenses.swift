import Licensing

extension StoreUnitOfWork {
  func license(
    _ id: Identifier, of organization: Key<Organization>, locked: Bool
  ) async throws(StorageError) -> License? {
    if locked { _ = try await run(LockLicense(organization: organization, id: id)) }
    return try await first(FindLicense(organization: organization, id: id))
  }

  func licenses(
    of organization: Key<Organization>, _ page: PageRequest
  ) async throws(StorageError) -> Page<License> {
    try await self.page(ListLicenses(organization: organization, page: page), page) { $0.record.key.rawValue }
  }

  func insert(_ new: NewLicense) async throws(StorageError) -> License {
    let key = try await one(InsertLicense(new: new))
    return try await one(ReadLicense(organization: new.organization, license: key))
  }

  func update(_ license: License) async throws(StorageError) -> License {
    _ = try await run(LimitLicense(license: license))
    _ = try await run(UpdateLicense(license: license))
    if license.status == .deleted {
      _ = try await run(
        FreeSeats(
          organization: license.organization, product: license.product, license: license.record.key,
          identity: nil,
          blockSeconds: 0, isForced: true, actor: .system))
    }
    return try await one(ReadLicense(organization: license.organization, license: license.record.key))
  }
}
