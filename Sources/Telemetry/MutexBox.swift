import Glibc

/// A value behind a pthread mutex. This room imports nothing of ours, so it has its own.
// SAFETY: `value` is touched only while `mutex` is held; the mutex keeps its address until deinit.
@safe final class MutexBox<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: Value) {
    self.value = value
    // SAFETY: freshly allocated, initialized once.
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    // SAFETY: nobody holds a reference any more, so nobody holds the mutex.
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    // SAFETY: initialized in init, destroyed in deinit.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
