internal import CLinux

/// A value that one thread touches at a time.
///
/// A pthread mutex, because ThreadSanitizer reports `Synchronization.Mutex` as a race and understands this one.
// SAFETY: `value` is touched only under `mutex`, and goes in and comes out only as `sending`.
@safe public final class Lock<Value: ~Copyable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @usableFromInline var value: Value

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
  // Inlinable, so that it is compiled for the value's type: four locks are taken for each check of a seat.
  @inlinable public func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock()
    defer { unlock() }
    return try body(&value)
  }

  @usableFromInline func lock() {
    // SAFETY: initialized in `init`, destroyed in `deinit`.
    unsafe pthread_mutex_lock(mutex)
  }

  @usableFromInline func unlock() {
    // SAFETY: initialized in `init`, destroyed in `deinit`; called by the holder alone.
    unsafe pthread_mutex_unlock(mutex)
  }
}
