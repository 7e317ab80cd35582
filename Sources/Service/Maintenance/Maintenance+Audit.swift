public import Audit
internal import Licensing
internal import Store

extension Maintenance {
  /// One chain of events as it was found.
  public struct VerifiedChain: Sendable {
    /// Nil: the operator's own.
    public let organization: String?
    /// So many events are sealed and kept.
    public let count: Int64
    public let position: Int64
    public let findings: [ChainFinding]
  }

  /// Checks the chain of every organization and the operator's own, or of one organization; `heads` were kept elsewhere.
  public func verifyEvents(
    only organization: String?, heads: [ChainHead]
  ) async throws(StartFailure) -> [VerifiedChain] {
    var wanted: Slug?
    if let organization {
      guard let slug = Slug(organization) else { throw StartFailure("\(organization) is no slug") }
      wanted = slug
    }
    return try await withDatabase { database in
      try await StoreEventChains(database).verify(only: wanted, heads: heads).map { report in
        VerifiedChain(
          organization: report.chain.organization == nil ? nil : report.chain.slug?.description ?? "?",
          count: report.count, position: report.chain.last?.position ?? 0, findings: report.findings)
      }
    }
  }
}
