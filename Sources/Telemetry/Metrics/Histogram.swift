/// How long something took, counted in buckets: two atomic additions for each observation.
public final class Histogram: Sendable {
  /// From a tenth of a millisecond to ten seconds.
  public static let latencies: [Duration] = [
    .microseconds(100), .microseconds(250), .microseconds(500),
    .milliseconds(1), .microseconds(2500), .milliseconds(5), .milliseconds(10), .milliseconds(25),
    .milliseconds(50), .milliseconds(100), .milliseconds(250), .milliseconds(500),
    .seconds(1), .milliseconds(2500), .seconds(10),
  ]

  /// The upper bound of each bucket but the last, which has none.
  let bounds: [Duration]
  private let buckets: [Counter]
  private let nanoseconds = Counter()

  /// For what is counted and not timed: a count stands as so many seconds, since the text format knows no units.
  public static let sizes: [Duration] = (0..<10).map { .seconds(1 << $0) }

  public init(bounds: [Duration] = Histogram.latencies) {
    self.bounds = bounds.sorted()
    self.buckets = (0...bounds.count).map { _ in Counter() }
  }

  public func observe(_ duration: Duration) {
    let index = bounds.firstIndex { duration <= $0 } ?? bounds.count
    buckets[index].increment()
    let (seconds, attoseconds) = duration.components
    nanoseconds.increment(by: UInt64(max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)))
  }

  public func observe(_ count: Int) { observe(.seconds(count)) }

  /// The observations in each bucket, each counted once.
  var counts: [UInt64] { buckets.map(\.value) }
  /// The sum of all observations in nanoseconds.
  var sum: UInt64 { nanoseconds.value }
}
