internal import Issuance
internal import Licensing
internal import Store

extension Maintenance {
  /// Makes a new key that signs leases, of which the audit trail knows; its id.
  public func rotateLeaseKey(
    for configuration: Configuration, atOnce: Bool
  ) async throws(StartFailure) -> String {
    let keys = try configuration.authorityKeys()
    return try await withDatabase { database in
      try await LeaseKeyMaking(keys: keys, units: StoreUnitsOfWork(database)).rotate(
        atOnce: atOnce, by: .machine)
    }
  }
}
