internal import CLinux

/// Another process, watched by a loop through its pidfd: no SIGCHLD, and a signal never reaches a stranger that got its
/// number since.
///
/// A child leads a process group of its own, so that Ctrl-C in a terminal is ours to pass on, and it outlives us unless
/// it is told to end.
public final class ChildProcess: EventSource, Sendable {
  /// The process id.
  public let processID: Int32
  private let loop: EventLoop
  private let pidfd: Descriptor
  private let state = Lock(State())

  private struct State {
    var status: ExitStatus?
    var waiting: [UInt64: CheckedContinuation<ExitStatus?, Never>] = [:]
    var lastWaiting: UInt64 = 0
    var registration: Registration?
  }

  private init(processID: Int32, loop: EventLoop) throws(SystemError) {
    self.processID = processID
    self.loop = loop
    pidfd = Descriptor(owning: try immediateCall("pidfd_open") { linux_pidfd_open(processID) })
  }

  /// Starts a program.
  public static func spawn(_ command: Command, on loop: EventLoop) async throws(SystemError) -> ChildProcess {
    // Until it is waited for, an ended child keeps its number: opening its pidfd afterwards is no race.
    let child = try ChildProcess(processID: try command.spawn(), loop: loop)
    try await child.watch(on: loop)
    return child
  }

  /// Watches a process that somebody else started. Its end is `ExitStatus.unknown`.
  public static func adopt(_ processID: Int32, on loop: EventLoop) async throws(SystemError) -> ChildProcess {
    let process = try ChildProcess(processID: processID, loop: loop)
    try await process.watch(on: loop)
    return process
  }

  /// Sends a signal (`SIGTERM` is 15). One that has ended already gets none: false.
  @discardableResult
  public func signal(_ number: Int32) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try immediateCall("pidfd_send_signal") { linux_pidfd_signal(pidfd.rawValue, number) }
      return true
    } catch  where error.errno == ESRCH { return false }
  }

  /// How it ended; nil while it runs.
  public var exitStatus: ExitStatus? { state.withLock { $0.status } }

  /// Waits until it has ended. Cancelling the waiting task does not end it: signal the process.
  public func waitForExit() async -> ExitStatus { await wait(within: nil) ?? .unknown }

  /// Waits until it has ended, but not longer than this: nil when it still runs.
  public func waitForExit(within limit: Duration) async -> ExitStatus? { await wait(within: limit) }

  private func wait(within limit: Duration?) async -> ExitStatus? {
    await withCheckedContinuation { continuation in
      let (status, id) = state.withLock { state in
        state.lastWaiting += 1
        if state.status == nil { state.waiting[state.lastWaiting] = continuation }
        return (state.status, state.lastWaiting)
      }
      if let status { return continuation.resume(returning: status) }
      if let limit { loop.submit { $0.schedule(after: limit) { _ in self.giveUp(id) } } }
    }
  }

  private func giveUp(_ id: UInt64) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: nil)
  }

  fileprivate func watch(on loop: isolated EventLoop) throws(SystemError) {
    let registration = try loop.register(self, descriptor: pidfd)
    state.withLock { $0.registration = registration }
  }

  public func ready(_ readiness: Readiness, on loop: isolated EventLoop) {
    guard exitStatus == nil, let status = reap() else { return }
    let (waiting, registration) = state.withLock { state in
      defer { state.waiting = [:] }
      state.status = status
      return (state.waiting.values.map { $0 }, state.registration)
    }
    if let registration { loop.deregister(registration) }
    for continuation in waiting { continuation.resume(returning: status) }
  }

  /// How the process ended; nil while it runs.
  private func reap() -> ExitStatus? {
    var (code, signaled) = (Int32(0), false)
    // SAFETY: the call fills in the local variables.
    switch unsafe linux_pidfd_reap(pidfd.rawValue, &code, &signaled) {
    case 0: return nil
    case 1: return signaled ? .signaled(code) : .exited(code)
    default: return .unknown
    }
  }
}
