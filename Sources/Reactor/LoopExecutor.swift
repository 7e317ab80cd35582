internal import CLinux

/// The executor of an `EventLoop`: one thread that sleeps in epoll and runs the jobs of its actor.
///
/// Other actors may name it as their executor too: then they share the loop's thread, and calls among them need no hop.
// SAFETY: everything but `inbox` is touched only on the thread that is inside `run`; before that, only by the loop's
// registration, which the actor's isolation also puts on that thread.
@safe public final class LoopExecutor: SerialExecutor, @unchecked Sendable {
  /// Work that arrived for the loop.
  enum Errand {
    case job(UnownedJob)
    /// A task goes on after a wait.
    case resumption(UnownedJob)
    case action(@Sendable (isolated EventLoop) -> Void)
  }

  private struct Inbox {
    var errands: [Errand] = []
    /// The loop sleeps, or is about to: whoever adds the first errand rings.
    var isAsleep = false
  }

  private let epoll: Descriptor
  private let doorbell: Descriptor
  private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 512)
  private let inbox = Lock(Inbox())
  private var local: [Errand] = []
  private var isStopping = false

  init() throws(SystemError) {
    epoll = Descriptor(owning: try immediateCall("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    doorbell = Descriptor(
      owning: try immediateCall("eventfd") {
        eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
      })
    try watch(doorbell.rawValue, as: 0)
  }

  deinit { unsafe events.deallocate() }

  /// Whether the calling thread is this loop's.
  public var isCurrent: Bool { linux_is_loop(epoll.rawValue) }

  public func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

  public func checkIsolated() { precondition(isCurrent, "not on this event loop") }

  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  func add(_ errand: Errand) {
    if isCurrent {
      local.append(errand)
      return
    }
    let mustRing = inbox.withLock { inbox in
      inbox.errands.append(errand)
      defer { inbox.isAsleep = false }
      return inbox.isAsleep
    }
    // The doorbell is watched edge-triggered: each ring wakes the loop, and nobody needs to read the count.
    if mustRing { eventfd_write(doorbell.rawValue, 1) }
  }

  /// Ends `run` after the turn that is under way.
  func stop() { isStopping = true }

  func watch(_ descriptor: Int32, as id: UInt64) throws(SystemError) {
    var event = unsafe epoll_event()
    unsafe event.events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    unsafe event.data.u64 = id
    let epoll = epoll.rawValue
    // SAFETY: the kernel copies the event.
    try immediateCall("epoll_ctl") { unsafe epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) }
  }

  func unwatch(_ descriptor: Int32) {
    // It is not watched any more when it was closed before: that is as good.
    _ = epoll_ctl(epoll.rawValue, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// The whole life of the loop's thread.
  func run(for loop: EventLoop) {
    linux_enter_loop(epoll.rawValue)
    defer { linux_leave_loop() }
    while !isStopping {
      let count = wait(milliseconds: pause(of: loop))
      loop.assumeIsolated { loop in
        loop.beginTurn()
        for index in 0..<count {
          // SAFETY: the kernel filled in `count` events.
          let (id, bits) = unsafe (events[index].data.u64, events[index].events)
          if id != 0 { loop.dispatch(id, Readiness(rawValue: bits)) }
        }
        loop.fireTimers()
      }
      runErrands(for: loop)
      loop.assumeIsolated { $0.endTurn() }
    }
    runErrands(for: loop)
    loop.assumeIsolated { $0.dropAll() }
    // Those who slept here and were woken go on elsewhere.
    runErrands(for: loop)
  }

  /// How long the loop may sleep, in milliseconds; -1: until something happens. Takes in what waits in the inbox.
  private func pause(of loop: EventLoop) -> Int32 {
    let pause = loop.assumeIsolated { $0.pause }
    let mayNotSleep = !local.isEmpty || pause == 0
    let arrived = inbox.withLock { inbox in
      inbox.isAsleep = !mayNotSleep && inbox.errands.isEmpty
      defer { inbox.errands = [] }
      return inbox.errands
    }
    local += arrived
    return local.isEmpty ? pause : 0
  }

  private func wait(milliseconds: Int32) -> Int {
    // SAFETY: the kernel fills in at most as many events as there is room for.
    let count = unsafe epoll_wait(epoll.rawValue, events.baseAddress, Int32(events.count), milliseconds)
    precondition(count >= 0 || linux_errno() == EINTR, "epoll_wait failed")
    inbox.withLock { $0.isAsleep = false }
    return Int(max(count, 0))
  }

  /// Runs what was enqueued, and what that enqueues; but not for ever: the descriptors want their turn too.
  private func runErrands(for loop: EventLoop) {
    for _ in 0..<64 {
      if local.isEmpty { takeInbox() }
      if local.isEmpty { return }
      let errands = local
      local = []
      for errand in errands {
        switch errand {
        case .job(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        case .resumption(let job):
          // Isolated to the loop already, so that its hop home stays here.
          unsafe job.runSynchronously(
            isolatedTo: asUnownedSerialExecutor(), taskExecutor: loop.taskExecutor.asUnownedTaskExecutor())
        case .action(let action): loop.assumeIsolated { action($0) }
        }
      }
    }
  }

  private func takeInbox() {
    local = inbox.withLock { inbox in
      defer { inbox.errands = [] }
      return inbox.errands
    }
  }
}
