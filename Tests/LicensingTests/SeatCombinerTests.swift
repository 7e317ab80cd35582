import Dispatch
import Licensing
import Testing

/// A store that answers when it is told to, and remembers what it was asked together.
private actor GatedStore: SeatStore {
  private(set) var batches: [[SeatRequest]] = []
  private var gates: [CheckedContinuation<Void, Never>] = []
  private var arrivals: [CheckedContinuation<Void, Never>] = []
  private var isOpen = false
  private let poison: Key<Identity>?

  init(poison: Key<Identity>? = nil) { self.poison = poison }

  func decide(_ batch: [SeatRequest], organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> [SeatOutcome]
  {
    batches.append(batch)
    for arrival in arrivals { arrival.resume() }
    arrivals = []
    if !isOpen { await withCheckedContinuation { gates.append($0) } }
    if let poison, batch.contains(where: { $0.identity == poison }) { throw .fault("poisoned") }
    return batch.map { _ in .released }
  }

  func open() {
    isOpen = true
    for gate in gates { gate.resume() }
    gates = []
  }

  func firstBatch() async {
    if batches.isEmpty { await withCheckedContinuation { arrivals.append($0) } }
  }

  func preview(_ request: SeatRequest, organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> SeatOutcome
  { .released }
  func seat(of identity: Key<Identity>, organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> Seat?
  { nil }
  func suspension(of identity: Key<Identity>, organization: Key<Organization>, product: Key<Product>)
    async throws(StorageError) -> SeatRefusal.Reason?
  { nil }
  func seats(of identity: Key<Identity>, organization: Key<Organization>) async throws(StorageError)
    -> [(product: ProductCode, seat: Seat)]
  { [] }
  func product(_ code: ProductCode) async throws(StorageError) -> Key<Product>? { nil }
}

/// A serial executor like an event loop's.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "combiner")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

struct SeatCombinerTests {
  private let queue = QueueExecutor()

  private func combiner(_ store: GatedStore) -> SeatCombiner {
    SeatCombiner(organization: Key(1), product: Key(1), on: queue, store: store)
  }

  @Test func `what waits behind a batch in flight goes together into the next one`() async throws {
    let store = GatedStore()
    let combiner = combiner(store)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { _ = try await combiner.decide(SeatRequest(identity: Key(0), operation: .claim)) }
      await store.firstBatch()
      for identity in 1...100 {
        group.addTask {
          _ = try await combiner.decide(SeatRequest(identity: Key(Int64(identity)), operation: .claim))
        }
      }
      while await combiner.waitingCount < 100 { await Task.yield() }
      await store.open()
      try await group.waitForAll()
    }
    #expect(await store.batches.map(\.count) == [1, 100])
  }

  @Test func `one identity is never twice in a batch`() async throws {
    let store = GatedStore()
    let combiner = combiner(store)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { _ = try await combiner.decide(SeatRequest(identity: Key(7), operation: .claim)) }
      }
      await store.firstBatch()
      while await combiner.waitingCount < 3 { await Task.yield() }
      await store.open()
      try await group.waitForAll()
    }
    #expect(await store.batches.map(\.count) == [1, 1, 1, 1])
  }

  @Test func `a fault in one request does not refuse the others`() async throws {
    let store = GatedStore(poison: Key(3))
    let combiner = combiner(store)
    let failures = await withTaskGroup(of: Bool.self) { group in
      group.addTask { await Self.fails(combiner, Key(0)) }
      await store.firstBatch()
      for identity in 1...5 { group.addTask { await Self.fails(combiner, Key(Int64(identity))) } }
      while await combiner.waitingCount < 5 { await Task.yield() }
      await store.open()
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(failures == 1)
  }

  private static func fails(_ combiner: SeatCombiner, _ identity: Key<Identity>) async -> Bool {
    do {
      _ = try await combiner.decide(SeatRequest(identity: identity, operation: .claim))
      return false
    } catch {
      return true
    }
  }
}
