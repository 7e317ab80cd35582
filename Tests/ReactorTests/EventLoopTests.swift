import Reactor
import Testing

@Suite struct EventLoopTests {
  /// Runs a test with loops of its own.
  private func withLoops<R>(_ count: Int = 1, _ body: (EventLoopGroup) async throws -> R) async throws -> R {
    let group = try EventLoopGroup(count: count, name: "test")
    defer { group.shutdown() }
    return try await body(group)
  }

  @Test func `a loop's work runs on its thread and nowhere else`() async throws {
    try await withLoops(2) { group in
      let (first, second) = (group.loops[0], group.loops[1])
      #expect(!first.isCurrent)
      #expect(await first.run { $0.isCurrent && !second.isCurrent })
      #expect(await second.run { $0.isCurrent && !first.isCurrent })
    }
  }

  @Test func `an immediate task that does not suspend is done before the call returns`() async throws {
    try await withLoops { group in
      let order = await group.loops[0].run { loop in
        let log = Log()
        log.add(1)
        Task.immediate {
          _ = loop
          await log.addLater(2)
        }
        log.add(3)
        return log.entries
      }
      #expect(order == [1, 2, 3])
    }
  }

  @Test func `another actor may live on the loop's thread`() async throws {
    try await withLoops { group in
      let tenant = Tenant(of: group.loops[0])
      #expect(await tenant.isOnLoop)
    }
  }

  @Test func `submitted actions of one thread run in their order`() async throws {
    try await withLoops { group in
      let log = Lock<[Int]>([])
      let numbers = Array(0..<1_000)
      await withCheckedContinuation { continuation in
        for number in numbers { group.loops[0].submit { _ in log.withLock { $0.append(number) } } }
        group.loops[0].submit { _ in continuation.resume() }
      }
      #expect(log.withLock { $0 } == numbers)
    }
  }

  @Test func `many threads wake one loop and nothing is lost`() async throws {
    try await withLoops(3) { group in
      let counter = Counter(on: group.loops[0])
      await withTaskGroup { tasks in
        for index in 0..<2_000 {
          tasks.addTask {
            await group.loops[1 + index % 2].run { _ in }
            await counter.increment()
          }
        }
      }
      #expect(await counter.value == 2_000)
    }
  }

  @Test func `timers fire in order and a cancelled one does not`() async throws {
    try await withLoops { group in
      let log = Lock<[Int]>([])
      await withCheckedContinuation { continuation in
        group.loops[0].submit { loop in
          loop.schedule(after: .milliseconds(40)) { _ in continuation.resume() }
          let cancelled = loop.schedule(after: .milliseconds(20)) { _ in log.withLock { $0.append(0) } }
          loop.schedule(after: .milliseconds(20)) { _ in log.withLock { $0.append(2) } }
          loop.schedule(after: .milliseconds(1)) { _ in log.withLock { $0.append(1) } }
          loop.cancel(cancelled)
        }
      }
      #expect(log.withLock { $0 } == [1, 2])
    }
  }

  @Test func `sleeping takes at least as long as asked`() async throws {
    try await withLoops { group in
      let start = MonotonicInstant.now
      try await group.loops[0].sleep(for: .milliseconds(25))
      #expect(start.duration(to: .now) >= .milliseconds(25))
    }
  }

  @Test func `a cancelled sleeper wakes at once with an error`() async throws {
    try await withLoops { group in
      let start = MonotonicInstant.now
      let sleeper = Task { try await group.loops[0].sleep(for: .seconds(600)) }
      await group.loops[0].run { _ in }
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
      #expect(start.duration(to: .now) < .seconds(60))
    }
  }

  @Test func `what is left for the end of a turn comes after every event and job of it, once`() async throws {
    try await withLoops { group in
      let log = Lock<[String]>([])
      await withCheckedContinuation { continuation in
        group.loops[0].submit { loop in
          loop.afterTurn { loop in
            log.withLock { $0.append("flush") }
            loop.submit { _ in continuation.resume() }
          }
          loop.submit { _ in log.withLock { $0.append("job") } }
          log.withLock { $0.append("action") }
        }
      }
      #expect(log.withLock { $0 } == ["action", "job", "flush"])
    }
  }

  @Test func `a source hears of its descriptor until it leaves`() async throws {
    try await withLoops { group in
      let pipe = try Pipe()
      let writing = pipe.writing
      let heard = Lock<[UInt8]>([])
      let loop = group.loops[0]
      try await loop.listen(to: pipe.reading, heard)
      _ = try writing.write([1, 2, 3].span)
      while heard.withLock({ $0.count < 3 }) { await loop.run { _ in } }
      #expect(heard.withLock { $0 } == [1, 2, 3])
      #expect(await loop.sourceCount == 1)
      _ = writing.release()
    }
  }

  @Test func `a group shuts down twice and its threads are gone`() throws {
    let group = try EventLoopGroup(count: 2, name: "twice")
    group.shutdown()
    group.shutdown()
  }
}

extension EventLoop {
  /// Runs `body` on the loop.
  func run<R: Sendable>(_ body: @Sendable (isolated EventLoop) -> R) -> R { body(self) }

  fileprivate func listen(to reading: consuming Descriptor, _ heard: Lock<[UInt8]>) throws {
    let source = Listener(reading: reading, heard: heard)
    _ = try register(source, descriptor: source.reading)
  }
}

private final class Listener: EventSource {
  let reading: Descriptor
  private let heard: Lock<[UInt8]>

  init(reading: consuming Descriptor, heard: Lock<[UInt8]>) {
    self.reading = reading
    self.heard = heard
  }

  func ready(_ readiness: Readiness, on loop: isolated EventLoop) {
    while let bytes = try? reading.read(atMost: 2), !bytes.isEmpty { heard.withLock { $0 += bytes } }
  }
}

private final class Log {
  private(set) var entries: [Int] = []
  func add(_ entry: Int) { entries.append(entry) }
  func addLater(_ entry: Int) async { add(entry) }
}

private actor Tenant {
  private let loop: EventLoop
  init(of loop: EventLoop) { self.loop = loop }
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.unownedExecutor }
  var isOnLoop: Bool { loop.isCurrent }
}

private actor Counter {
  private let loop: EventLoop
  private(set) var value = 0
  init(on loop: EventLoop) { self.loop = loop }
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.unownedExecutor }
  func increment() { value += 1 }
}
