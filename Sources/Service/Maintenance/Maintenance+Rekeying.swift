internal import Cryptography
internal import Issuance
internal import Licensing
internal import Store

extension Maintenance {
  /// What sealing anew came to.
  public struct Rekeyed: Sendable {
    public let resealed: Int
    /// One line for each key that did not open.
    public let failures: [String]
  }

  /// Seals every CA key that the key in the file `old` sealed under that in the file `new`.
  public func rekey(from old: String, to new: String) async throws(StartFailure) -> Rekeyed {
    let keys = AuthorityKeys(
      sealing: SealingKeyRing(
        try Configuration.sealingKey(new, "the new key"),
        earlier: [try Configuration.sealingKey(old, "the old key")]))
    return try await withDatabase { database in
      let report = try await Rekeying(keys: keys, units: StoreUnitsOfWork(database)).run()
      return Rekeyed(
        resealed: report.resealed,
        failures: report.failed.map { "authority \($0.authority): \($0.reason)" }
          + report.failedLeaseKeys.map { "a key that signs leases: \($0)" }
          + report.failedWebhooks.map { "webhook \($0.webhook): \($0.reason)" })
    }
  }
}
