public import Issuance
public import Licensing
public import Postgres

/// When identities were last seen.
public struct StoreSightings: Sendable {
  private let client: PostgresClient

  public init(_ client: PostgresClient) { self.client = client }

  /// Writes many at once; a later one that another server wrote stays.
  ///
  /// - Parameter ages: how many seconds ago each was seen.
  public func write(_ ages: [TenantKey<Identity>: Int64]) async throws(StorageError) {
    try await stating { () throws(PostgresError) in _ = try await client.commit(WriteSightings(ages: ages)) }
  }
}

/// In the order of the rows, so that two servers never wait for each other.
struct WriteSightings: Statement {
  static let sql: StaticString = """
    INSERT INTO identity_seen (organization_id, identity_id, seen_at)
    SELECT i.organization_id, i.id, now() - u.age * interval '1 second'
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u (organization_id, id, age)
      JOIN identity i USING (organization_id, id)
    WHERE i.status < 3 ORDER BY 1, 2
    ON CONFLICT (organization_id, identity_id) DO UPDATE SET seen_at = excluded.seen_at
    WHERE identity_seen.seen_at < excluded.seen_at
    """
  let ages: [TenantKey<Identity>: Int64]
  func bind(_ parameters: inout Parameters) {
    parameters.append(Array(ages.keys))
    parameters.append(Array(ages.values))
  }
}

struct EraseSighting: Statement {
  static let sql: StaticString = "DELETE FROM identity_seen WHERE organization_id = $1 AND identity_id = $2"
  let tombstone: Identity
  func bind(_ parameters: inout Parameters) {
    parameters.append(tombstone.organization)
    parameters.append(tombstone.record.key)
  }
}
