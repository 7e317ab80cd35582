/// A point in time: microseconds since 1970-01-01T00:00:00Z, as PostgreSQL keeps them.
public struct Instant: Sendable, Hashable, Comparable {
  public let microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }
  public init(seconds: Int64) { microseconds = seconds * 1_000_000 }

  /// Whole seconds since 1970, rounded down.
  public var seconds: Int64 {
    microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
  }

  public static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

  public func adding(seconds: Int64) -> Instant { Instant(microseconds: microseconds + seconds * 1_000_000) }

  /// Microseconds from `earlier` to this instant; negative when this is the earlier one.
  public func microseconds(since earlier: Instant) -> Int64 { microseconds - earlier.microseconds }
}
