public import Licensing
public import Postgres

/// When API tokens were last used.
public struct StoreTokenUses: Sendable {
  private let client: PostgresClient

  public init(_ client: PostgresClient) { self.client = client }

  /// Writes the last uses of many tokens in one statement; a later use that another server wrote stays.
  public func write(_ uses: [Key<APIToken>: Instant]) async throws(StorageError) {
    try await stating { () throws(PostgresError) in _ = try await client.commit(WriteTokenUses(uses: uses)) }
  }
}

/// In the order of the rows, so that two servers never wait for each other.
struct WriteTokenUses: Statement {
  static let sql: StaticString = """
    UPDATE api_token t SET last_used_at = u.at
    FROM (SELECT t.id, to_timestamp(x.at / 1e6) AS at FROM unnest($1::bigint[], $2::bigint[]) x (id, at)
      JOIN api_token t ON t.id = x.id AND coalesce(t.last_used_at < to_timestamp(x.at / 1e6), true)
      ORDER BY t.id FOR NO KEY UPDATE OF t) u
    WHERE t.id = u.id
    """
  let uses: [Key<APIToken>: Instant]
  func bind(_ parameters: inout Parameters) {
    parameters.append(uses.map(\.key.rawValue))
    parameters.append(uses.map(\.value.microseconds))
  }
}
