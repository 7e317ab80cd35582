internal import CLinux

/// The thread of one loop.
// SAFETY: a pthread_t may be joined from any thread, and `EventLoopGroup` does so once.
@safe struct LoopThread: @unchecked Sendable {
  private let thread: pthread_t

  init(running loop: EventLoop) throws(SystemError) {
    var thread = pthread_t()
    // SAFETY: the thread takes over the reference that is handed to it.
    let reference = unsafe Unmanaged.passRetained(loop)
    let failure = unsafe pthread_create(&thread, nil, runLoop, reference.toOpaque())
    guard failure == 0 else {
      unsafe reference.release()
      throw SystemError(errno: failure, call: "pthread_create")
    }
    self.thread = thread
  }

  func join() {
    pthread_join(thread, nil)
  }
}

/// The body of a loop's thread (a named function: C calls it).
private func runLoop(_ reference: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let reference = unsafe reference else { return nil }
  // SAFETY: retained for this thread by `LoopThread.init`.
  let loop = unsafe Unmanaged<EventLoop>.fromOpaque(reference).takeRetainedValue()
  // SAFETY: the name is a null-terminated string for the length of the call.
  unsafe linux_name_thread(String(loop.name.prefix(15)))
  loop.executor.run(for: loop)
  return nil
}
