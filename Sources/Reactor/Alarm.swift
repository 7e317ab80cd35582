internal import CLinux

/// Wakes those who wait on one loop at their exact moments, within tens of microseconds, where `EventLoop.schedule` may
/// be 10 ms late. It takes a descriptor (timerfd), and suits the few who measure.
public final class Alarm: EventSource {
  private struct Sleeper {
    let moment: MonotonicInstant
    let continuation: CheckedContinuation<Void, Never>
  }

  private let timer: Descriptor
  private var registration: Registration?
  /// The next at the end.
  private var sleepers: [Sleeper] = []

  public init(on loop: isolated EventLoop) throws(SystemError) {
    timer = Descriptor(
      owning: try immediateCall("timerfd_create") {
        timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
      })
    registration = try loop.register(self, descriptor: timer)
  }

  /// Returns at `moment`, at once when it has passed, and for everyone when the alarm is closed.
  public func sleep(until moment: MonotonicInstant, on loop: isolated EventLoop) async {
    guard moment > .now else { return }
    await loop.suspend(isolation: loop) { continuation in
      guard registration != nil else { return continuation.resume() }
      let place = sleepers.partitioningIndex { $0.moment <= moment }
      sleepers.insert(Sleeper(moment: moment, continuation: continuation), at: place)
      if place == sleepers.count - 1 { set(moment) }
    }
  }

  /// Wakes whoever still sleeps, and gives the descriptor back.
  public func close(on loop: isolated EventLoop) {
    if let registration { loop.deregister(registration) }
    registration = nil
    for sleeper in sleepers { sleeper.continuation.resume() }
    sleepers = []
  }

  public func ready(_ readiness: Readiness, on loop: isolated EventLoop) {
    let now = MonotonicInstant.now
    while let next = sleepers.last, next.moment <= now {
      sleepers.removeLast()
      next.continuation.resume()
    }
    if let next = sleepers.last { set(next.moment) }
  }

  private func set(_ moment: MonotonicInstant) {
    var time = itimerspec()
    time.it_value.tv_sec = time_t(moment.nanoseconds / 1_000_000_000)
    time.it_value.tv_nsec = Int(moment.nanoseconds % 1_000_000_000)
    // SAFETY: the kernel reads the local variable. It cannot fail: the descriptor is a timer, the time is in range.
    unsafe timerfd_settime(timer.rawValue, Int32(TFD_TIMER_ABSTIME), &time, nil)
  }
}

extension Array {
  /// The first index at which the condition holds, in an array that is ordered by it.
  fileprivate func partitioningIndex(where belongsBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
