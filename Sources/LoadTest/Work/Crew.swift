internal import Reactor

/// What the workers of one loop share.
final class Crew {
  let alarm: Alarm
  /// For handshakes before the start.
  let door = Door(32)
  private(set) var tally = Tally()
  var openConnections = 0

  init(on loop: isolated EventLoop) throws(SystemError) { alarm = try Alarm(on: loop) }

  func succeeded(_ operation: Operation, since moment: MonotonicInstant) {
    tally.succeeded(
      operation, nanoseconds: MonotonicInstant.now.nanoseconds - moment.nanoseconds)
  }

  func failed(_ operation: Operation, _ reason: String) { tally.failed(operation, reason) }

  /// What has happened since the last time.
  func take() -> Tally {
    defer { tally = Tally() }
    return tally
  }
}
