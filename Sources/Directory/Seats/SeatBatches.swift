public import Licensing
public import Reactor

/// Requests for the seats of one (organization, product), decided together: one statement, one transaction.
public struct SeatBatches: Combinable {
  let organization: Key<Organization>
  let product: Key<Product>
  let store: any SeatStore

  public func subject(of request: SeatRequest) -> Key<Identity> { request.identity }

  public func answers(to batch: [SeatRequest]) async -> [Result<SeatOutcome, StorageError>] {
    do throws(StorageError) {
      let outcomes = try await store.decide(batch, organization: organization, product: product)
      guard outcomes.count == batch.count else { throw StorageError.fault("a batch was answered in part") }
      return outcomes.map { .success($0) }
    } catch {
      if case .fault = error, batch.count > 1 { return await singly(batch) }
      return batch.map { _ in .failure(error) }
    }
  }

  /// A fault in one request must not refuse the others.
  private func singly(_ batch: [SeatRequest]) async -> [Result<SeatOutcome, StorageError>] {
    var answers: [Result<SeatOutcome, StorageError>] = []
    for request in batch { answers += await self.answers(to: [request]) }
    return answers
  }
}

public typealias SeatCombiner = Combiner<SeatBatches>

extension Combiner<SeatBatches> {
  /// `patience`: see `init(_:on:patience:)`.
  public convenience init(
    organization: Key<Organization>, product: Key<Product>, on loops: [EventLoop], store: any SeatStore,
    patience: Duration = .milliseconds(10)
  ) {
    let batches = SeatBatches(organization: organization, product: product, store: store)
    self.init(batches, on: loops, patience: patience)
  }
}
