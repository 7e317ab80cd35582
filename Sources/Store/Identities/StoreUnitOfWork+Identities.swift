import Licensing

extension StoreUnitOfWork {
  func identity(
    _ reference: IdentityReference, of organization: Key<Organization>, locked: Bool
  ) async throws(StorageError) -> Identity? {
    let found = try await find(reference, of: organization)
    guard locked, let found else { return found }
    _ = try await run(LockIdentity(organization: organization, identity: found.record.key))
    return try await find(reference, of: organization)
  }

  private func find(
    _ reference: IdentityReference, of organization: Key<Organization>
  ) async throws(StorageError) -> Identity? {
    switch reference {
    case .name(let name): try await first(FindIdentityByName(organization: organization, name: name))
    case .id(let id): try await first(FindIdentityByID(organization: organization, id: id))
    }
  }

  func identity(
    named external: ExternalName, of organization: Key<Organization>
  ) async throws(StorageError) -> Identity? {
    try await first(FindIdentityByExternalName(organization: organization, external: external))
  }

  func identities(
    of organization: Key<Organization>, _ filter: IdentityFilter, _ page: PageRequest
  ) async throws(StorageError) -> Page<Identity> {
    let most = filter.isSearch ? Self.searched : page.limit + 1
    let list = ListIdentities(organization: organization, filter: filter, page: page, most: most)
    let found = try await self.page(list, page) { $0.record.key.rawValue }
    guard filter.isSearch, found.next == nil else { return found }
    return Page(
      elements: found.elements,
      next: try await first(FindEndOfSearch(organization: organization, page: page, most: most)))
  }

  /// How many identities one page of a search looks at, of half a second at the most.
  private static var searched: Int { 25_000 }

  func tombstone(
    _ id: Identifier, of organization: Key<Organization>
  ) async throws(StorageError) -> Identity? {
    try await first(LockTombstone(organization: organization, id: id))
  }

  func erase(_ tombstone: Identity) async throws(StorageError) {
    _ = try await run(EraseIdentity(tombstone: tombstone))
    _ = try await run(EraseCertificates(tombstone: tombstone))
    _ = try await run(EraseEnrollments(tombstone: tombstone))
    _ = try await run(EraseSighting(tombstone: tombstone))
  }

  func insert(_ new: NewIdentity) async throws(StorageError) -> Identity {
    if let identity = try await first(InsertIdentity(new: new)) { return identity }
    throw .conflict(try await first(FindIdentityConflict(new: new)) ?? .identityName)
  }

  func update(_ identity: Identity) async throws(StorageError) -> Identity {
    let updated = try await one(UpdateIdentity(identity: identity))
    if updated.status == .deleted {
      let (organization, key) = (updated.organization, updated.record.key)
      _ = try await run(RevokeCertificatesOfIdentity(organization: organization, identity: key))
      _ = try await run(FreeSeatsOfIdentity(organization: organization, identity: key))
    }
    return updated
  }
}

extension IdentityFilter {
  /// Whether it takes reading an identity to tell; the vendor's own id is found by an index.
  fileprivate var isSearch: Bool {
    externalID == nil
      && (text != nil || status != nil || role != nil || certificateExpiresBefore != nil
        || notSeenSince != nil)
  }
}
