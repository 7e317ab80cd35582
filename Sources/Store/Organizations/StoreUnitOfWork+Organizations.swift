import Licensing

extension StoreUnitOfWork {
  func organization(_ slug: Slug, locked: Bool) async throws(StorageError) -> Organization? {
    if locked { _ = try await run(LockOrganization(slug: slug)) }
    return try await first(FindOrganization(slug: slug))
  }

  func organizations(
    _ filter: OrganizationFilter, _ page: PageRequest
  ) async throws(StorageError) -> Page<Organization> {
    try await self.page(ListOrganizations(filter: filter, page: page), page) { $0.record.key.rawValue }
  }

  func insert(_ new: NewOrganization) async throws(StorageError) -> Organization {
    try await one(InsertOrganization(new: new))
  }

  func update(_ organization: Organization) async throws(StorageError) -> Organization {
    let updated = try await one(UpdateOrganization(organization: organization))
    if updated.status == .deleted { _ = try await run(EndOrganization(organization: updated.record.key)) }
    return updated
  }

  func seatsHeld(by organization: Key<Organization>) async throws(StorageError) -> Int64 {
    try await one(CountSeatsHeld(organization: organization))
  }
}
