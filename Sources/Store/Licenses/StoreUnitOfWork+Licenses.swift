import Licensing

extension StoreUnitOfWork {
  func license(
    _ id: Identifier, of organization: Key<Organization>, locked: Bool
  ) async throws(StorageError) -> License? {
    if locked { _ = try await run(LockLicense(organization: organization, id: id)) }
    return try await first(FindLicense(organization: organization, id: id))
  }

  func license(
    externalID: String, of organization: Key<Organization>, locked: Bool
  ) async throws(StorageError) -> License? {
    var filter = LicenseFilter()
    filter.externalID = externalID
    let found = try await licenses(of: organization, filter, PageRequest(limit: 1)).elements.first
    guard locked, let found else { return found }
    return try await license(found.record.id, of: organization, locked: true)
  }

  func licenses(
    of organization: Key<Organization>, _ filter: LicenseFilter, _ page: PageRequest
  ) async throws(StorageError) -> Page<License> {
    let list = ListLicenses(organization: organization, filter: filter, page: page)
    return try await self.page(list, page) { $0.record.key.rawValue }
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
