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
}
