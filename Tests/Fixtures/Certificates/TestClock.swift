import Glibc

/// The time at which tests run, taken once.
public enum TestClock {
  /// Seconds since 1970.
  public static let now = Int64(time(nil))
}
