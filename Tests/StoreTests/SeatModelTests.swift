import Licensing
import Reactor
import Testing

@testable import Store

/// The database beside the executable specification: the same operations through two servers, one after the other or
/// several at once, and after each round the same answers, the same holders, the same counts, and nothing that does not
/// add up.
@Suite struct SeatModelTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `whatever is asked, the database does what the ledger says`(seed: UInt64) async throws {
    try await run(seed: seed, rounds: 250, atOnce: 1...1)
  }

  @Test(arguments: [5, 6, 7, 8] as [UInt64])
  func `whatever many ask at once, the database does what the ledger says in some order`(
    seed: UInt64
  ) async throws {
    try await run(seed: seed, rounds: 80, atOnce: 2...5)
  }

  private func run(seed: UInt64, rounds: Int, atOnce: ClosedRange<Int>) async throws {
    let configuration = try await TestStore.emptyStore()
    let group = try EventLoopGroup(count: 2, name: "model")
    try await Gate.databases.pass {
      try await TestStore.withClient(configuration) { one in
        try await TestStore.withClient(configuration) { other in
          var random = SplitMix(seed: seed)
          var model = try await SeatModel(in: TestStore(one), and: TestStore(other), on: group.loops)
          for round in 0..<rounds {
            let count = Int.random(in: atOnce, using: &random)
            let told = try await model.round(of: count, using: &random)
            #expect(
              told.fault == nil,
              "round \(round): \(told.operations.joined(separator: "; ")): \(told.fault ?? "")")
            guard told.fault == nil else { return }
          }
        }
      }
    }
    group.shutdown()
  }
}
