internal import CLinux

/// A value that one thread touches at a time.
///
/// A pthread mutex, because ThreadSanitizer reports `Synchronization.Mutex` as a race and understands this one.
// SAFETY: `value` is touched only under `mutex`, and goes in and comes out only as `sending`.
@safe public final class Lock<Value: ~Copyable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  public init(_ value: consuming sending Value) {
    self.value = value
    // SAFETY: freshly allocated, and at one address for as long as the lock lives.
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    // SAFETY: nobody holds a lock that nobody refers to.
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs `body` alone with the value. It must not call back into the same lock.
  public func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    // SAFETY: initialized in `init`, destroyed in `deinit`.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
