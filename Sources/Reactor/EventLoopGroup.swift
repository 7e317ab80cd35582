internal import CLinux
internal import Synchronization

/// The loops of a process, each on a thread of its own.
public final class EventLoopGroup: Sendable {
  public let loops: [EventLoop]
  private let threads: Lock<[LoopThread]>
  private let turn = Atomic(0)

  /// Starts `count` loops called `name-0`, `name-1`, …
  public init(count: Int, name: String) throws(SystemError) {
    precondition(count > 0, "a group needs a loop")
    var loops: [EventLoop] = []
    var threads: [LoopThread] = []
    do throws(SystemError) {
      for index in 0..<count {
        let loop = try EventLoop(name: "\(name)-\(index)")
        threads.append(try LoopThread(running: loop))
        loops.append(loop)
      }
    } catch {
      Self.stop(loops, threads)
      throw error
    }
    self.loops = loops
    self.threads = Lock(threads)
  }

  /// How many loops make sense at most: the processors that this process may use, which a container, systemd or
  /// `taskset` may have made fewer than the machine has.
  public static var usableProcessors: Int { Int(linux_usable_processors()) }

  /// The loops in turn, for whatever needs a home.
  public func next() -> EventLoop {
    loops[turn.wrappingAdd(1, ordering: .relaxed).oldValue & Int.max % loops.count]
  }

  /// Stops the loops and waits for their threads. Whatever waits on them never goes on, so end it before; must not be
  /// called on one of them. A second time it does nothing.
  public func shutdown() {
    precondition(!loops.contains { $0.isCurrent }, "a loop cannot wait for its own end")
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    if !threads.isEmpty { Self.stop(loops, threads) }
  }

  private static func stop(_ loops: [EventLoop], _ threads: [LoopThread]) {
    for loop in loops { loop.submit { $0.executor.stop() } }
    for thread in threads { thread.join() }
  }
}
