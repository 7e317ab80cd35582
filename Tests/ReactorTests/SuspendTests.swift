import Reactor
import Testing

@Suite struct SuspendTests {
  @Test func `who is resumed on a loop goes on in the same turn, on its thread`() async throws {
    let group = try EventLoopGroup(count: 1, name: "suspend")
    let loop = group.loops[0]
    let log = Lock<[String]>([])
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      loop.submit { loop in
        Task.immediate {
          await loop.suspend { waiting in
            // The next action of this turn.
            loop.submit { loop in
              waiting.resume()
              loop.afterTurn { _ in
                log.withLock { $0.append("end of turn") }
                done.resume()
              }
            }
          }
          log.withLock { $0.append(loop.isCurrent ? "resumed" : "elsewhere") }
        }
      }
    }
    #expect(log.withLock { $0 } == ["resumed", "end of turn"])
    group.shutdown()
  }

  @Test func `who is cancelled before it sleeps does not sleep`() async throws {
    let group = try EventLoopGroup(count: 1, name: "suspend")
    let loop = group.loops[0]
    await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.cancelAll()
      tasks.addTask { try await loop.sleep(for: .seconds(600)) }
      await #expect(throws: CancellationError.self) { try await tasks.next() }
    }
    group.shutdown()
  }

  @Test func `who waits elsewhere goes on elsewhere`() async throws {
    let group = try EventLoopGroup(count: 1, name: "suspend")
    let loop = group.loops[0]
    let answer: Int = await loop.suspend { continuation in
      loop.submit { _ in continuation.resume(returning: 7) }
    }
    #expect(answer == 7)
    #expect(!loop.isCurrent)
    group.shutdown()
  }

  @Test func `who sleeps on a loop that ends wakes before it is gone`() async throws {
    let group = try EventLoopGroup(count: 1, name: "suspend")
    let loop = group.loops[0]
    let isAwake = Lock(false)
    await withCheckedContinuation { (asleep: CheckedContinuation<Void, Never>) in
      loop.submit { loop in
        Task.immediate {
          try? await loop.sleep(for: .seconds(600))
          isAwake.withLock { $0 = true }
        }
        asleep.resume()
      }
    }
    group.shutdown()
    #expect(isAwake.withLock { $0 })
  }
}
