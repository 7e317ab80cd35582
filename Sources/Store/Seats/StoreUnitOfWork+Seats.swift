import Licensing

extension StoreUnitOfWork {
  func seats(
    of license: Key<License>, organization: Key<Organization>, _ page: PageRequest
  ) async throws(StorageError) -> Page<SeatHolding> {
    let rows = try await self.page(
      ListSeats(organization: organization, license: license, page: page), page, key: \.key)
    return Page(elements: rows.elements.map(\.holding), next: rows.next)
  }

  func assign(
    _ license: License, to identity: Identity, actor: Actor
  ) async throws(StorageError) -> AssignOutcome {
    let rows = try await run(AssignSeat(license: license, identity: identity.record.key, actor: actor))
    switch try SeatBatch(rows).outcomes(count: 1)[0] {
    case .granted(let seat): return .assigned(seat)
    case .renewed(let seat): return .already(seat)
    case .refused(let refusal): return .refused(refusal)
    case .released: throw .fault("an assignment was answered as a release")
    }
  }

  func free(
    _ license: License, of identity: Identity, blockSeconds: Int64, isForced: Bool, actor: Actor
  ) async throws(StorageError) -> FreeOutcome {
    let (freed, borrowedUntil) = try await one(
      FreeSeats(
        organization: license.organization, product: license.product, license: license.record.key,
        identity: identity.record.key, blockSeconds: blockSeconds, isForced: isForced, actor: actor))
    if let borrowedUntil, !isForced { return .borrowed(until: borrowedUntil) }
    return freed > 0 ? .freed : .nothingHeld
  }
}
