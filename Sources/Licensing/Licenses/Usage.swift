/// One minute of a license in which something happened.
public struct UsageMinute: Sendable, Equatable {
  /// When it began.
  public let minute: Instant
  /// The most seats held at once.
  public let peak: Int64
  /// Those held at its end, and in every minute after it that is not told of.
  public let held: Int64
  /// How many seats were given.
  public let grants: Int64
  /// How many requests were refused, by reason.
  public let denials: [String: Int64]

  public init(minute: Instant, peak: Int64, held: Int64, grants: Int64, denials: [String: Int64]) {
    self.minute = minute
    self.peak = peak
    self.held = held
    self.grants = grants
    self.denials = denials
  }
}

/// The most seats of a license that were ever held at once.
public struct HighWaterMark: Sendable, Equatable {
  public let seats: Int64
  /// The first minute of it.
  public let minute: Instant

  public init(seats: Int64, minute: Instant) {
    self.seats = seats
    self.minute = minute
  }
}

/// Part of a unit of work.
public protocol UsageRepository: Sendable {
  /// The minutes of this period, whose first states what it began with; `page.after` is a minute in microseconds.
  func usage(of license: License, from: Instant, to: Instant, _ page: PageRequest)
    async throws(StorageError) -> Page<UsageMinute>

  /// Nil when no seat was ever held.
  func highWaterMark(of license: License) async throws(StorageError) -> HighWaterMark?
}
