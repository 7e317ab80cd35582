internal import Reactor
internal import Synchronization

/// When the operations of a run begin, and when it is over.
///
/// Without a rate each worker begins the next as soon as its last is done (a closed loop). With one, the moments are
/// fixed beforehand and a latency counts from the moment at which the operation should have begun, so that a server
/// that stalls is not spared the operations that it held up (Gil Tene's "coordinated omission").
final class Pace: Sendable {
  private let rate: Double?
  private let length: Duration
  private let given = Atomic(0)
  private let begin = Atomic<Int64>(.max)
  private let stopped = Atomic(false)

  init(rate: Double?, length: Duration) {
    self.rate = rate
    self.length = length
  }

  /// Starts the clock.
  func start() { begin.store(MonotonicInstant.now.nanoseconds, ordering: .releasing) }

  /// Ends the run before its time.
  func stop() { stopped.store(true, ordering: .releasing) }

  var startedAt: MonotonicInstant {
    MonotonicInstant(nanoseconds: begin.load(ordering: .acquiring))
  }

  var end: MonotonicInstant { startedAt.advanced(by: length) }

  var isOver: Bool { stopped.load(ordering: .acquiring) || MonotonicInstant.now >= end }

  /// The moment from which the next operation counts, when it has come; nil when the run is over.
  func next(_ alarm: Alarm, on loop: isolated EventLoop) async -> MonotonicInstant? {
    guard let rate else { return isOver ? nil : .now }
    let number = given.wrappingAdd(1, ordering: .relaxed).oldValue
    let moment = startedAt.advanced(by: .nanoseconds(Int64(Double(number) / rate * 1e9)))
    guard moment < end else { return nil }
    await alarm.sleep(until: moment, on: loop)
    return stopped.load(ordering: .acquiring) ? nil : moment
  }
}
