public import Audit
public import Licensing
public import Postgres

/// The chains of sealed events: made in the background by any server, and checked.
public struct StoreEventChains: Sendable {
  private let client: PostgresClient

  public init(_ client: PostgresClient) { self.client = client }

  // MARK: Sealing

  /// Whether there is an event that is not sealed.
  public func awaitsSealing() async throws(StorageError) -> Bool {
    try await stating { () throws(PostgresError) in try await client.read(AwaitsSealing()).first ?? false }
  }

  /// Seals the events of transactions that have ended, at most so many, in one transaction. One server does it at a time.
  ///
  /// - Returns: how many; fewer than `limit`: there were no more, or another server is at it.
  public func seal(limit: Int) async throws(StorageError) -> Int {
    do {
      return try await client.transaction { transaction in
        guard let (from, below) = try await transaction.run(BeginSealing()).first else { return 0 }
        let found = try await transaction.run(FindUnsealed(from: from, below: below, limit: limit))
        if !found.isEmpty { try await insert(found, in: transaction) }
        // Where there may be more, those of the last transaction are looked through again.
        if let more = found.count < limit ? below : from == "0" ? nil : found.last?.transaction {
          _ = try await transaction.run(EndSealing(below: more))
        }
        return found.count
      }
    } catch let error as PostgresError {
      throw StorageError(error)
    } catch {
      throw .fault("\(error)")
    }
  }

  private func insert(_ found: [UnsealedEvent], in transaction: Transaction) async throws {
    var ends: [Key<Organization>: ChainLink] = [:]
    var sealed: [(organization: Key<Organization>, place: EventPlace, seal: EventSeal)] = []
    for unsealed in found {
      let organization = unsealed.organization
      var end = ends[organization]
      if end == nil { end = try await self.end(of: organization, in: transaction) }
      guard let link = try end?.next(unsealed.event) else {
        throw StorageError.fault("the digest at the end of a chain is none")
      }
      ends[organization] = link
      sealed.append((organization, unsealed.event.place, link.seal))
    }
    _ = try await transaction.run(InsertSeals(sealed: sealed))
  }

  private func end(of organization: Key<Organization>, in transaction: Transaction) async throws -> ChainLink?
  {
    guard let stored = try await transaction.run(ReadChains(organization: organization)).first else {
      return nil
    }
    if let last = stored.chain.last { return ChainLink(last) }
    return try ChainLink(startOf: stored.chain.organization)
  }

  // MARK: Dropping

  /// Drops events that are older than so many days, of which an event tells; how many.
  public func prune(keepingDays days: Int64) async throws(StorageError) -> Int64 {
    try await stating { () throws(PostgresError) in
      var count: Int64 = 0
      for stored in try await client.read(ReadChains(organization: nil)) {
        let statement = PruneEvents(organization: stored.organization, days: days, limit: 10_000)
        while let dropped = try await client.commit(statement).first, dropped > 0 { count += dropped }
      }
      return count
    }
  }

  // MARK: Checking

  /// What checking a chain came to.
  public struct Report: Sendable {
    public let chain: EventChain
    public let findings: [ChainFinding]
    /// How many are sealed and kept.
    public let count: Int64
  }

  /// Seals what can be sealed, and goes along every chain, or the one of this organization; `heads` are those that were
  /// kept of any of them.
  public func verify(only slug: Slug?, heads: [ChainHead]) async throws(StorageError) -> [Report] {
    while try await seal(limit: 1000) == 1000 {}
    do {
      return try await client.transaction(isolation: .repeatableRead, readOnly: true) { transaction in
        var reports: [Report] = []
        for stored in try await transaction.run(ReadChains(organization: nil))
        where slug == nil || stored.chain.slug == slug {
          reports.append(
            try await verify(
              stored, heads.filter { $0.organization == stored.chain.organization }, in: transaction))
        }
        return reports
      }
    } catch let error as PostgresError {
      throw StorageError(error)
    } catch let error as StorageError {
      throw error
    } catch {
      throw .fault("\(error)")
    }
  }

  private func verify(
    _ stored: StoredChain, _ heads: [ChainHead], in transaction: Transaction
  ) async throws -> Report {
    let chain = stored.chain
    guard let start = try ChainLink(startOf: chain) else {
      throw StorageError.fault("the digest at the start of a chain is none")
    }
    var verification = ChainVerification(from: start, heads: heads)
    var count: Int64 = 0
    while true {
      let rows = try await transaction.run(
        ReadSealed(organization: stored.organization, after: verification.last.position, limit: 1000))
      for row in rows { try verification.read(row.event, sealed: row.seal) }
      count += Int64(rows.count)
      if rows.isEmpty { break }
    }
    verification.finish(at: chain.last.flatMap(ChainLink.init))
    verification.checkPruning()
    var findings = verification.findings
    let inserted =
      try await transaction.run(CountInserted(organization: stored.organization)).first ?? 0
    if inserted > 0 { findings.append(.inserted(inserted)) }
    return Report(chain: chain, findings: findings, count: count)
  }
}
