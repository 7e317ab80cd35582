import Licensing
import Postgres

extension StorageError {
  /// What the database said, in the domain's words.
  init(_ error: PostgresError) {
    self =
      switch error {
      case .unavailable, .timedOut, .cancelled: .unavailable("\(error)")
      case .outcomeUnknown: .outcomeUnknown("\(error)")
      case .decoding: .fault("\(error)")
      case .server(.uniqueViolation, _, let constraint, _): .conflict(Conflict(constraint: constraint ?? ""))
      case .server(let state, _, _, _): state.isPassing ? .unavailable("\(error)") : .fault("\(error)")
      }
  }
}

extension SQLState {
  /// Nothing was done, and the same may succeed later: locks, time-outs, resources, shutdown, a standby.
  fileprivate var isPassing: Bool {
    switch self {
    case .serializationFailure, .deadlockDetected, .lockNotAvailable, .queryCanceled, .readOnlyTransaction:
      true
    default: ["53", "57", "58", "08"].contains(category)
    }
  }
}

extension Conflict {
  /// What the unique index of this name keeps apart.
  init(constraint: String) {
    self =
      switch constraint {
      case "organization_slug": .organizationSlug
      case "organization_hostname": .organizationHostname
      case "product_code": .productCode
      case "identity_name": .identityName
      case "identity_external_name": .externalName
      case "authority_proven_key", "authority_subject": .authorityKey
      case "certificate_serial", "certificate_fingerprint": .certificateSerial
      case "certificate_key_holder": .deviceKey
      case let name where name.hasSuffix("_external_id"): .externalID
      case let name: .other(name)
      }
  }
}

/// Runs database work and states its failures in the domain's words.
func stating<Result>(_ work: () async throws(PostgresError) -> Result) async throws(StorageError) -> Result {
  do { return try await work() } catch { throw StorageError(error) }
}
