public protocol OrganizationRepository: Sendable {
  /// Nil when there is none or it is deleted. With `locked` the row stays locked until the transaction ends.
  func organization(_ slug: Slug, locked: Bool) async throws(StorageError) -> Organization?
  func organizations(_ filter: OrganizationFilter, _ page: PageRequest) async throws(StorageError)
    -> Page<Organization>
  func insert(_ new: NewOrganization) async throws(StorageError) -> Organization
  /// Writes every mutable field, raises the revision and returns the row as it now is.
  func update(_ organization: Organization) async throws(StorageError) -> Organization
  /// Seats in use, over all licenses of the organization: expired leases do not count.
  func seatsHeld(by organization: Key<Organization>) async throws(StorageError) -> Int64
}
