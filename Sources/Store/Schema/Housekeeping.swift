public import Licensing
public import Postgres

/// What the database needs now and then; any server may do it, at any time, as often as it likes.
public struct Housekeeping: Sendable {
  private let client: PostgresClient
  private let eventDays: Int64

  /// - Parameter eventDays: how long events are kept; 0: for good.
  public init(_ client: PostgresClient, eventDays: Int64 = 0) {
    self.client = client
    self.eventDays = eventDays
  }

  /// Makes the partitions of this and the next month, and drops what nobody asks for any more: changes, stored answers,
  /// leases that have run out, the secrets of old keys, events that are older than they are kept.
  public func run() async throws(StorageError) {
    try await stating { () throws(PostgresError) in
      _ = try await client.commit(MakeEventPartitions())
      _ = try await client.commit(PruneChanges())
      _ = try await client.commit(PruneStoredAnswers())
      for (organization, product) in try await client.read(FindEndedSeats()) {
        _ = try await client.commit(DropEndedSeats(organization: organization, product: product))
      }
      _ = try await client.commit(ForgetOldLeaseKeys())
    }
    if eventDays > 0 { _ = try await StoreEventChains(client).prune(keepingDays: eventDays) }
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

/// Where leases have run out and nobody came since who would have dropped them.
struct FindEndedSeats: Statement {
  static let sql: StaticString = """
    SELECT DISTINCT c.organization_id, c.product_id FROM license_counter c
    WHERE EXISTS (SELECT FROM seat s WHERE s.license_id = c.license_id AND s.reclaim_at <= statement_timestamp())
      OR EXISTS (SELECT FROM reservation r WHERE r.license_id = c.license_id AND r.until <= statement_timestamp())
    """
  static func row(
    _ columns: borrowing Columns
  ) throws(PostgresError) -> (organization: Key<Organization>, product: Key<Product>) {
    (try columns.key(0), try columns.key(1))
  }
}

/// Nothing depends on it: an expired lease never counts. It only keeps the tables small.
struct DropEndedSeats: Statement {
  static let sql: StaticString = "SELECT seat_expire($1, $2)"
  let organization: Key<Organization>
  let product: Key<Product>
  func bind(_ parameters: inout Parameters) {
    parameters.append(organization)
    parameters.append(product)
  }
  static func row(_ columns: borrowing Columns) throws(PostgresError) -> Int64 { try columns.int64(0) }
}
