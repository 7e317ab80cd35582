/// A loop's thread as the place where a task goes on after a wait (see `EventLoop.suspend`).
final class LoopTaskExecutor: TaskExecutor, Sendable {
  private let executor: LoopExecutor

  init(_ executor: LoopExecutor) { self.executor = executor }

  func enqueue(_ job: consuming ExecutorJob) { executor.add(.resumption(UnownedJob(job))) }
}
