@testable import Store

extension TestStore {
  /// Seals until nothing is left: transactions of other tests, in other databases of the server, are waited for too.
  @discardableResult
  func sealAll(limit: Int = 100) async throws -> StoreEventChains {
    let chains = StoreEventChains(client)
    while try await chains.awaitsSealing() { _ = try await chains.seal(limit: limit) }
    return chains
  }
}
