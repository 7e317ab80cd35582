import Reactor

/// Says how long something took.
enum Stopwatch {
  static func time<Result>(_ body: () throws -> Result) rethrows -> (Result, Duration) {
    let start = MonotonicInstant.now
    return (try body(), start.duration(to: .now))
  }
}
