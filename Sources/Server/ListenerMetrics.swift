internal import Telemetry

/// The counters of one listener, looked up once so that counting is one addition.
struct ListenerMetrics: Sendable {
  let accepted: Counter
  let open: Gauge
  let turnedAway: Counter
  let fullHandshakes: Counter
  let resumedHandshakes: Counter
  let refusedHandshakes: Counter
  let failedHandshakes: Counter
  /// By the first digit of the status.
  private let requests: [Counter]
  private let family: ServerMetrics
  private let listener: String

  init(_ family: ServerMetrics, listener: String) {
    accepted = family.accepted[listener]
    open = family.open[listener]
    turnedAway = family.turnedAway[listener]
    fullHandshakes = family.handshakes[listener, "full"]
    resumedHandshakes = family.handshakes[listener, "resumed"]
    refusedHandshakes = family.handshakes[listener, "refused"]
    failedHandshakes = family.handshakes[listener, "failed"]
    requests = (2...5).map { family.requests[listener, "\($0)xx"] }
    self.family = family
    self.listener = listener
  }

  func answered(_ status: Int) { requests[min(max(status / 100, 2), 5) - 2].increment() }

  func refused(_ reason: StaticString) {
    refusedHandshakes.increment()
    family.refusals[listener, reason.description].increment()
  }

  func timedOut(_ timeout: ConnectionMachine.Timeout) { family.timeouts[listener, "\(timeout)"].increment() }
}
