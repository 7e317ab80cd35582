public import Licensing
public import Postgres
public import Telemetry

/// Seats as PostgreSQL decides them: a batch is one call of `seat_decide`, or of `seat_renew` where nothing but renewals
/// is expected, and its commit, in one flush.
public struct StoreSeats: SeatStore {
  private let client: PostgresClient
  private let batches: Histogram

  /// `batches` counts how many requests each batch holds.
  public init(_ client: PostgresClient, batches: Histogram = Histogram(bounds: Histogram.sizes)) {
    self.client = client
    self.batches = batches
  }

  public func decide(
    _ batch: [SeatRequest], organization: Key<Organization>, product: Key<Product>
  ) async throws(StorageError) -> [SeatOutcome] {
    batches.observe(batch.count)
    guard batch.allSatisfy(\.isHeartbeat) else {
      return try await judge(batch, organization: organization, product: product)
    }
    let statement = RenewSeats(organization: organization, product: product, batch: batch)
    let rows = try await stating { () throws(PostgresError) in try await client.commit(statement) }
    var outcomes = try SeatBatch(rows).answered(count: batch.count)
    let rest = outcomes.indices.filter { outcomes[$0] == nil }
    if !rest.isEmpty {
      let judged = try await judge(rest.map { batch[$0] }, organization: organization, product: product)
      for (index, outcome) in zip(rest, judged) { outcomes[index] = outcome }
    }
    return outcomes.compactMap { $0 }
  }

  private func judge(
    _ batch: [SeatRequest], organization: Key<Organization>, product: Key<Product>
  ) async throws(StorageError) -> [SeatOutcome] {
    let statement = DecideSeats(organization: organization, product: product, batch: batch)
    let rows = try await stating { () throws(PostgresError) in try await client.commit(statement) }
    return try SeatBatch(rows).outcomes(count: batch.count)
  }

  public func preview(
    _ request: SeatRequest, organization: Key<Organization>, product: Key<Product>
  ) async throws(StorageError) -> SeatOutcome {
    let statement = PreviewSeat(organization: organization, product: product, request: request)
    let rows = try await stating { () throws(PostgresError) in try await client.commit(statement) }
    return try SeatBatch(rows).outcomes(count: 1)[0]
  }

  public func seat(
    of identity: Key<Identity>, organization: Key<Organization>, product: Key<Product>
  ) async throws(StorageError) -> Seat? {
    let statement = HeldSeat(organization: organization, product: product, identity: identity)
    return try await stating { () throws(PostgresError) in try await client.read(statement).first }
  }

  public func suspension(
    of identity: Key<Identity>, organization: Key<Organization>, product: Key<Product>
  ) async throws(StorageError) -> SeatRefusal.Reason? {
    let statement = SeatSuspension(organization: organization, product: product, identity: identity)
    return try await stating { () throws(PostgresError) in try await client.read(statement).first ?? nil }
  }

  public func seats(
    of identity: Key<Identity>, organization: Key<Organization>
  ) async throws(StorageError) -> [(product: ProductCode, seat: Seat)] {
    let statement = HeldSeats(organization: organization, identity: identity)
    return try await stating { () throws(PostgresError) in try await client.read(statement) }
  }

  public func product(_ code: ProductCode) async throws(StorageError) -> Key<Product>? {
    try await stating { () throws(PostgresError) in try await client.read(FindProductKey(code: code)).first }
  }
}
