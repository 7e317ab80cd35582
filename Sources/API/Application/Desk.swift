import Issuance
import Licensing

/// Where a handler works: one request inside one unit of work, the caller permitted.
final class Desk {
  let exchange: Exchange
  let unit: any IssuanceUnitOfWork
  /// Whether other servers, and this one's own memory, have something to hear of once this commits.
  private(set) var hasAnnounced = false

  init(_ exchange: Exchange, _ unit: any IssuanceUnitOfWork) {
    self.exchange = exchange
    self.unit = unit
  }

  var services: Services { exchange.services }

  /// Writes a row of the audit trail in the caller's name.
  func record(
    _ type: String, of organization: Organization? = nil, license: Key<License>? = nil,
    identity: Key<Identity>? = nil, _ detail: [String: String] = [:]
  ) async throws(StorageError) {
    try await unit.record(
      AuditEvent(
        type, organization: organization?.record.key, actor: exchange.caller.actor, license: license,
        identity: identity, detail: detail))
  }

  func announce(_ change: Change) async throws(StorageError) {
    hasAnnounced = true
    try await unit.announce(change)
  }
}
