internal import CLinux

/// The clock on the wall (CLOCK_REALTIME): somebody may set it, so it never measures how long something took.
public enum WallClock {
  /// Microseconds since 1970-01-01T00:00:00Z, without leap seconds.
  public static var microseconds: Int64 {
    var time = timespec()
    // SAFETY: the kernel fills in the local variable.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// Whole seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public static var seconds: Int64 {
    var time = timespec()
    // SAFETY: the kernel fills in the local variable.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }
}
