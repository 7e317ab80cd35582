internal import Glibc

/// A value that one thread touches at a time.
///
/// A pthread mutex, because ThreadSanitizer reports `Synchronization.Mutex` as a race and understands this one; the
/// event loop's own lock lives in a room that TLS does not know.
// SAFETY: `value` is touched only under `mutex`.
@safe final class Lock<Value: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: Value) {
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
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    // SAFETY: initialized in `init`, destroyed in `deinit`.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
