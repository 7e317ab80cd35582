internal import CLinux

extension BlockingThreads {
  /// Blocks the calling thread, which must be one of these, until what is to be done elsewhere is done.
  public static func wait<Value: Sendable>(for body: @escaping @Sendable () async -> Value) -> Value {
    let result = Awaited<Value>()
    // Nobody's child: who waits for it is a thread, and no task.
    Task { result.fulfil(await body()) }
    return result.take()
  }
}

/// A value that one thread waits for.
// SAFETY: `value` is touched only under `mutex`; both live at one address until nobody refers to this.
@safe private final class Awaited<Value: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value?

  init() {
    // SAFETY: freshly allocated, as are both.
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    // SAFETY: nobody waits at what nobody refers to.
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  func fulfil(_ value: Value) {
    // SAFETY: initialized in `init`, destroyed in `deinit`; so in `take`.
    unsafe pthread_mutex_lock(mutex)
    self.value = value
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  func take() -> Value {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let value { return value }
      unsafe pthread_cond_wait(condition, mutex)
    }
  }
}
