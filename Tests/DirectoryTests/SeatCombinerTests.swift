import Directory
import Licensing
import Reactor
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

private let group = try! EventLoopGroup(count: 2, name: "combiner")

struct SeatCombinerTests {
  private func combiner(_ store: GatedStore, patience: Duration = .milliseconds(1)) -> SeatCombiner {
    SeatCombiner(organization: Key(1), product: Key(1), on: group.loops, store: store, patience: patience)
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
      while combiner.waitingCount < 100 { await Task.yield() }
      await store.open()
      try await group.waitForAll()
    }
    #expect(await store.batches.map(\.count) == [1, 100])
  }

  @Test func `behind a crowd the next batch leaves when as many are there again`() async throws {
    let store = GatedStore()
    let combiner = combiner(store, patience: .seconds(3600))
    try await withThrowingTaskGroup(of: Void.self) { group in
      func claim(_ identities: ClosedRange<Int64>) {
        for identity in identities {
          group.addTask {
            _ = try await combiner.decide(SeatRequest(identity: Key(identity), operation: .claim))
          }
        }
      }
      claim(0...0)
      await store.firstBatch()
      claim(1...9)
      while combiner.waitingCount < 9 { await Task.yield() }
      await store.open()
      try await group.next()
      #expect(await store.batches.map(\.count) == [1])
      claim(10...10)
      try await group.waitForAll()
      // The first who comes back does not leave alone.
      claim(11...20)
      try await group.waitForAll()
    }
    #expect(await store.batches.map(\.count) == [1, 10, 10])
  }

  @Test func `a few do not wait for each other`() async throws {
    let store = GatedStore()
    let combiner = combiner(store, patience: .seconds(3600))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for identity in 0..<3 {
        group.addTask {
          _ = try await combiner.decide(SeatRequest(identity: Key(Int64(identity)), operation: .claim))
        }
      }
      await store.firstBatch()
      while combiner.waitingCount < 2 { await Task.yield() }
      await store.open()
      try await group.waitForAll()
    }
    #expect(await store.batches.map(\.count) == [1, 2])
  }

  @Test func `one identity is never twice in a batch`() async throws {
    let store = GatedStore()
    let combiner = combiner(store)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { _ = try await combiner.decide(SeatRequest(identity: Key(7), operation: .claim)) }
      }
      await store.firstBatch()
      while combiner.waitingCount < 3 { await Task.yield() }
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
      while combiner.waitingCount < 5 { await Task.yield() }
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
