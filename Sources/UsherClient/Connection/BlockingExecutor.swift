internal import Reactor

/// Runs an actor's jobs on a thread that may block, and that exists only while there are jobs: a client that rests costs
/// nothing, and one that waits for the network keeps no thread of Swift's pool.
final class BlockingExecutor: SerialExecutor {
  /// One, so that jobs run one after the other, in their order.
  private let thread = BlockingThreads(most: 1)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // SAFETY: the executor lives until the job has run, and the job runs once.
    thread.run { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
