public import Issuance
public import Licensing
public import Postgres

/// Whom to trust, read from PostgreSQL, and the feed of what changed since.
///
/// A change is found by the snapshot in which it is read: rows from transaction `cursor` on, after which the cursor is
/// that snapshot's oldest transaction still under way. So nothing that commits late is missed, and what is read twice is
/// applied twice without harm.
public struct StoreTrust: TrustSource {
  private let client: PostgresClient

  public init(_ client: PostgresClient) { self.client = client }

  public func snapshot() async throws(StorageError) -> TrustSnapshot {
    try await inOneSnapshot { transaction in
      guard let cursor = try await transaction.run(ReadCursor()).first else {
        throw PostgresError.decoding("no snapshot")
      }
      return TrustSnapshot(organizations: try await trust(of: nil, in: transaction), cursor: cursor)
    }
  }

  public func organization(_ key: Key<Organization>) async throws(StorageError) -> OrganizationTrust? {
    try await inOneSnapshot { try await trust(of: key, in: $0).first }
  }

  private func trust(
    of organization: Key<Organization>?, in transaction: Transaction
  ) async throws(PostgresError) -> [OrganizationTrust] {
    let organizations = try await transaction.run(ReadOrganizations(organization: organization))
    let authorities = Dictionary(
      grouping: try await transaction.run(ReadTrust(organization: organization)), by: \.organization)
    return organizations.map {
      OrganizationTrust(organization: $0, authorities: authorities[$0.record.key] ?? [])
    }
  }

  private func inOneSnapshot<Result: Sendable>(
    _ work: (Transaction) async throws -> Result
  ) async throws(StorageError) -> Result {
    do {
      return try await client.transaction(isolation: .repeatableRead, readOnly: true, work)
    } catch let error as PostgresError {
      throw StorageError(error)
    } catch {
      throw .fault("\(error)")
    }
  }

  public func changes(since cursor: ChangeCursor) async throws(StorageError) -> ChangeBatch {
    let rows = try await read(ReadChanges(cursor: cursor))
    guard let first = rows.first else { throw .fault("no snapshot") }
    return ChangeBatch(changes: rows.flatMap(\.changes), cursor: first.cursor)
  }

  public func identities(_ wanted: [TenantKey<Identity>]) async throws(StorageError) -> [Identity] {
    try await read(ReadIdentities(wanted: wanted))
  }

  public func status(
    ofCertificates wanted: [TenantKey<CertificateRecord>]
  ) async throws(StorageError) -> [StoredStatus] {
    try await read(ReadCertificateStatus(wanted: wanted))
  }

  public func listings(
    of serialNumbers: [String], under authority: Key<Authority>
  ) async throws(StorageError) -> [Listing] {
    try await read(FindListings(authority: authority, serialNumbers: serialNumbers))
  }

  public func standings(
    ofCertificates fingerprints: [[UInt8]], under authority: Key<Authority>
  ) async throws(StorageError) -> [[UInt8]: CertificateStanding] {
    let rows = try await read(FindStandings(authority: authority, fingerprints: fingerprints))
    return Dictionary(rows) { first, _ in first }
  }

  private func read<S: Statement>(_ statement: S) async throws(StorageError) -> [S.Row] {
    try await stating { () throws(PostgresError) in try await client.read(statement) }
  }
}
