/// Group commit for the seats of one (organization, product): one statement in flight, and whoever waits meanwhile
/// goes into the next one together.
///
/// The waiters pass the lead on, so that no task is loose: the first caller takes its own request to the store; those
/// that come while it is away queue; the first of them leads the next batch.
public actor SeatCombiner {
  /// More would hold the locks of the batch for longer than its waiters gain.
  public static let largestBatch = 512

  private enum Turn: Sendable {
    case lead
    case done(Result<SeatOutcome, StorageError>)
  }

  private struct Waiter {
    let request: SeatRequest
    let turn: CheckedContinuation<Turn, Never>
  }

  private let organization: Key<Organization>
  private let product: Key<Product>
  private nonisolated let executor: any SerialExecutor
  private let store: any SeatStore
  /// Nil: nothing is in flight.
  private var waiting: [Waiter]?

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    // SAFETY: `executor` is a stored constant, alive as long as this actor.
    unsafe executor.asUnownedSerialExecutor()
  }

  public init(
    organization: Key<Organization>, product: Key<Product>, on executor: any SerialExecutor,
    store: any SeatStore
  ) {
    self.organization = organization
    self.product = product
    self.executor = executor
    self.store = store
  }

  /// How many requests wait for the batch in flight.
  public var waitingCount: Int { waiting?.count ?? 0 }

  /// The store's answer to one request, decided together with whatever else is waiting.
  public func decide(_ mine: SeatRequest) async throws(StorageError) -> SeatOutcome {
    if waiting != nil {
      let turn = await withCheckedContinuation { waiting?.append(Waiter(request: mine, turn: $0)) }
      if case .done(let result) = turn { return try result.get() }
    }
    let others = takeBatch(besides: mine.identity)
    let answers = await answers(to: [mine] + others.map(\.request))
    for (index, other) in others.enumerated() { other.turn.resume(returning: .done(answers[index + 1])) }
    passTheLead()
    return try answers[0].get()
  }

  /// Those who wait, at most one per identity: two requests of one identity would depend on each other's outcome.
  private func takeBatch(besides leader: Key<Identity>) -> [Waiter] {
    let queue = waiting ?? []
    waiting = []
    guard !queue.isEmpty else { return [] }
    var batch: [Waiter] = []
    var identities: Set<Key<Identity>> = [leader]
    for waiter in queue {
      if batch.count + 1 < Self.largestBatch, identities.insert(waiter.request.identity).inserted {
        batch.append(waiter)
      } else {
        waiting?.append(waiter)
      }
    }
    return batch
  }

  private func passTheLead() {
    if waiting?.isEmpty == false {
      waiting?.removeFirst().turn.resume(returning: .lead)
    } else {
      waiting = nil
    }
  }

  private func answers(to batch: [SeatRequest]) async -> [Result<SeatOutcome, StorageError>] {
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
    for request in batch {
      answers += await self.answers(to: [request])
    }
    return answers
  }
}
