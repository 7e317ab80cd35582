internal import CLinux

/// Threads for calls that may block, which neither a loop nor the runtime's pool can afford: at most so many at once, and
/// none while there is nothing to do.
public final class BlockingThreads: Sendable {
  private struct State {
    var calls: [@Sendable () -> Void] = []
    var atWork = 0
  }

  private let most: Int
  private let state = Lock(State())

  public init(most: Int) {
    precondition(most > 0, "nobody would make the calls")
    self.most = most
  }

  /// Makes the call on one of the threads; when all are busy it waits its turn.
  public func run(_ call: @escaping @Sendable () -> Void) {
    let needsThread = state.withLock { state in
      state.calls.append(call)
      guard state.atWork < most else { return false }
      state.atWork += 1
      return true
    }
    if needsThread { startThread() }
  }

  private func startThread() {
    var thread = pthread_t()
    // SAFETY: the thread takes over the reference that is handed to it.
    let reference = unsafe Unmanaged.passRetained(self)
    if unsafe pthread_create(&thread, nil, runCalls, reference.toOpaque()) == 0 {
      pthread_detach(thread)
    } else {
      // A machine without threads left: the caller waits.
      unsafe reference.release()
      drain()
    }
  }

  /// Makes the calls that wait until there are none.
  fileprivate func drain() {
    while let call = next() { call() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.calls.isEmpty else {
        state.atWork -= 1
        return nil
      }
      return state.calls.removeFirst()
    }
  }
}

/// The thread's life (a named function: C calls it).
private func runCalls(_ reference: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let reference = unsafe reference else { return nil }
  // SAFETY: retained for this thread by `startThread`.
  unsafe Unmanaged<BlockingThreads>.fromOpaque(reference).takeRetainedValue().drain()
  return nil
}
