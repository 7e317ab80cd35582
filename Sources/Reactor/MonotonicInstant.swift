internal import CLinux

/// A moment of the clock that only moves forward and that nobody sets (CLOCK_MONOTONIC).
public struct MonotonicInstant: InstantProtocol, Hashable, Sendable {
  /// Nanoseconds since the machine started.
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The moment of the call. Inside a loop `EventLoop.now` is cheaper.
  public static var now: MonotonicInstant {
    var time = timespec()
    // SAFETY: the kernel fills in the local variable.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  public func advanced(by duration: Duration) -> MonotonicInstant {
    advanced(byNanoseconds: duration.nanoseconds)
  }

  /// The same for what is added often: a `Duration` is divided each time.
  public func advanced(byNanoseconds count: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: nanoseconds.addingClamped(count))
  }

  public func duration(to other: MonotonicInstant) -> Duration {
    .nanoseconds(other.nanoseconds - nanoseconds)
  }

  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension Duration {
  /// The length in nanoseconds, at most what an Int64 holds (292 years).
  package var nanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}

extension Int64 {
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
