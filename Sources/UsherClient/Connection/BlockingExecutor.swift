internal import Glibc
internal import Reactor

/// Runs an actor's jobs on a thread that may block, and that exists only while there are jobs: a client that rests costs
/// nothing, and one that waits for the network keeps no thread of Swift's pool.
final class BlockingExecutor: SerialExecutor {
  /// Nil: no thread is at work.
  private let waiting = Lock<[UnownedJob]?>(nil)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = waiting.withLock { jobs in
      defer { jobs = (jobs ?? []) + [job] }
      return jobs == nil
    }
    if isFirst { startThread() }
  }

  private func startThread() {
    var thread = pthread_t()
    // SAFETY: the thread takes over the reference that is handed to it.
    let reference = unsafe Unmanaged.passRetained(self)
    if unsafe pthread_create(&thread, nil, runJobs, reference.toOpaque()) == 0 {
      pthread_detach(thread)
    } else {
      // A machine without threads left: the caller waits.
      unsafe reference.release()
      drain()
    }
  }

  /// Runs what is waiting until nothing is.
  func drain() {
    while let jobs = takeJobs() {
      for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  private func takeJobs() -> [UnownedJob]? {
    waiting.withLock { jobs in
      let taken = jobs.flatMap { $0.isEmpty ? nil : $0 }
      jobs = taken == nil ? nil : []
      return taken
    }
  }
}

/// The thread's life (a named function: C calls it).
private func runJobs(_ reference: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let reference = unsafe reference else { return nil }
  // SAFETY: retained for this thread by `startThread`.
  unsafe Unmanaged<BlockingExecutor>.fromOpaque(reference).takeRetainedValue().drain()
  return nil
}
