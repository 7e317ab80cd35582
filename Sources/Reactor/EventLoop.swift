internal import CLinux

/// One thread, one epoll, one isolation domain: everything that lives on one core.
///
/// The loop is an actor whose executor is its thread. Connections, timers and sources are not Sendable; they belong to
/// its region, so the compiler keeps every other thread away from them. Work that never suspends is done before the
/// call returns: `Task.immediate` inside the loop enqueues nothing.
///
/// A turn of the loop: ready descriptors, timers that are due, enqueued jobs, then what was left for `afterTurn`.
public actor EventLoop {
  public nonisolated let executor: LoopExecutor
  nonisolated let taskExecutor: LoopTaskExecutor
  /// What the loop's thread is called in `ps -L` and `top -H`, with at most 15 bytes.
  public nonisolated let name: String

  private var sources = SourceTable()
  private var timers: TimerWheel<() -> Void>
  private var lastActions: [() -> Void] = []
  private var sleepers: [UInt64: Sleeper] = [:]
  private var lastSleeper: UInt64 = 0
  /// The moment at which this turn began: good enough for time-outs, and free.
  public private(set) var now: MonotonicInstant

  /// A loop that `EventLoopGroup` gives its thread.
  init(name: String) throws(SystemError) {
    self.name = name
    executor = try LoopExecutor()
    taskExecutor = LoopTaskExecutor(executor)
    now = .now
    timers = TimerWheel(now: now)
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    // SAFETY: the loop keeps its executor.
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Whether the caller runs on this loop's thread.
  public nonisolated var isCurrent: Bool { executor.isCurrent }

  /// How many sources the loop watches.
  public var sourceCount: Int { sources.count }

  // MARK: Descriptors

  /// Watches a descriptor for its source, once and for everything (edge-triggered). The loop keeps the source until
  /// `deregister`, which comes before the descriptor is closed.
  public func register(
    _ source: some EventSource, descriptor: borrowing Descriptor
  ) throws(SystemError) -> Registration {
    try register(source, rawDescriptor: descriptor.rawValue)
  }

  /// The same for a descriptor that a C library owns.
  public func register(
    _ source: some EventSource, rawDescriptor: Int32
  ) throws(SystemError) -> Registration {
    let id = sources.insert(source)
    do throws(SystemError) {
      try executor.watch(rawDescriptor, as: id)
    } catch {
      _ = sources.remove(id)
      throw error
    }
    return Registration(id: id, descriptor: rawDescriptor)
  }

  /// Forgets a source; an event of it that is already under way finds nobody. A second time it does nothing.
  public func deregister(_ registration: Registration) {
    if sources.remove(registration.id) { executor.unwatch(registration.descriptor) }
  }

  // MARK: Time

  /// Runs `action` once, on this loop, not before `delay` has passed and at most about 10 ms later.
  @discardableResult
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> TimerID {
    timers.insert(action, at: MonotonicInstant.now.advanced(by: delay))
  }

  /// The same at a moment of the monotonic clock.
  @discardableResult
  public func schedule(at deadline: MonotonicInstant, _ action: @escaping () -> Void) -> TimerID {
    timers.insert(action, at: deadline)
  }

  /// The same for an action that is made elsewhere and is told its loop.
  @discardableResult
  public func schedule(
    after delay: Duration, _ action: @escaping (isolated EventLoop) -> Void
  ) -> TimerID {
    schedule(after: delay) { action(self) }
  }

  /// The same for an action that is made elsewhere and is told its loop.
  @discardableResult
  public func schedule(
    at deadline: MonotonicInstant, _ action: @escaping (isolated EventLoop) -> Void
  ) -> TimerID {
    schedule(at: deadline) { action(self) }
  }

  /// Takes a timer back. One that has fired or was cancelled is nobody's, and that is fine.
  public func cancel(_ timer: TimerID) { timers.cancel(timer) }

  /// Waits on the loop's own clock; ends early, with the error, when the task is cancelled.
  public func sleep(for delay: Duration) async throws(CancellationError) {
    lastSleeper += 1
    let id = lastSleeper
    let wasCancelled = await withTaskCancellationHandler {
      await suspend { continuation in
        // A cancellation until here found no sleeper to wake.
        guard !Task.isCancelled else { return continuation.resume(returning: true) }
        let timer = schedule(after: delay) { $0.wake(id, cancelled: false) }
        sleepers[id] = Sleeper(continuation: continuation, timer: timer)
      }
    } onCancel: {
      submit { $0.wake(id, cancelled: true) }
    }
    if wasCancelled { throw CancellationError() }
  }

  private struct Sleeper {
    let continuation: CheckedContinuation<Bool, Never>
    let timer: TimerID
  }

  private func wake(_ id: UInt64, cancelled: Bool) {
    guard let sleeper = sleepers.removeValue(forKey: id) else { return }
    cancel(sleeper.timer)
    sleeper.continuation.resume(returning: cancelled)
  }

  // MARK: Turns

  /// Runs `action` on the loop, from any thread, in the order of the calls of one thread. It costs no task.
  public nonisolated func submit(_ action: @escaping @Sendable (isolated EventLoop) -> Void) {
    executor.add(.action(action))
  }

  /// Runs `action` once at the end of this turn, after every event and job: the place for one flush of what many wrote.
  public func afterTurn(_ action: @escaping () -> Void) { lastActions.append(action) }

  /// The same for an action that is made elsewhere and is told its loop.
  public func afterTurn(_ action: @escaping (isolated EventLoop) -> Void) { afterTurn { action(self) } }

  func beginTurn() { now = .now }

  func dispatch(_ id: UInt64, _ readiness: Readiness) { sources[id]?.ready(readiness, on: self) }

  func fireTimers() {
    while let action = timers.popDue(now: now) { action() }
  }

  func endTurn() {
    guard !lastActions.isEmpty else { return }
    let actions = lastActions
    lastActions = []
    for action in actions { action() }
  }

  /// How long the loop may sleep, in whole milliseconds rounded up; -1 when nothing is planned.
  var pause: Int32 {
    if !lastActions.isEmpty { return 0 }
    guard let look = timers.nextLook else { return -1 }
    let nanoseconds = max(0, look.nanoseconds - MonotonicInstant.now.nanoseconds)
    return Int32(clamping: (nanoseconds + 999_999) / 1_000_000)
  }

  /// At the end of the thread: whatever still lives on the loop goes away on it.
  func dropAll() {
    sources = SourceTable()
    timers = TimerWheel(now: now)
    lastActions = []
    for (_, sleeper) in sleepers { sleeper.continuation.resume(returning: true) }
    sleepers = [:]
  }
}
