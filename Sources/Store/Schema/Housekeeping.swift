public import Licensing
public import Postgres

/// What the database needs now and then; any server may do it, at any time, as often as it likes.
public struct Housekeeping: Sendable {
  private let client: PostgresClient

  public init(_ client: PostgresClient) { self.client = client }

  /// Makes the partitions of this and the next month, and drops changes, stored answers and secrets that nobody
  /// asks for any more.
  public func run() async throws(StorageError) {
    try await stating { () throws(PostgresError) in
      _ = try await client.commit(MakeEventPartitions())
      _ = try await client.commit(PruneChanges())
      _ = try await client.commit(PruneStoredAnswers())
      _ = try await client.commit(ForgetOldLeaseKeys())
    }
  }
}

/// A few minutes into the next month its partition must be there; making one that is there does nothing.
struct MakeEventPartitions: Statement {
  static let sql: StaticString = """
    SELECT count(make_event_partition(month)) > 0 FROM unnest(ARRAY[now(), now() + interval '1 month']) month
    """
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Bool { try columns.bool(0) }
}

/// A server that has not heard of changes for so long reads everything anew.
struct PruneChanges: Statement {
  static let sql: StaticString = "DELETE FROM change WHERE at < now() - interval '1 day'"
}

struct PruneStoredAnswers: Statement {
  static let sql: StaticString = "DELETE FROM idempotency WHERE created_at < now() - interval '1 day'"
}
