import API
import Directory
import Reactor
import Server

/// Ends the idle connections of those who lost their right, after a change of trust and for those whose time ran out.
final class Sweeper: Sendable {
  private let listeners = Lock<[Listener<Application<DevicePeer>>]>([])

  func watch(_ listeners: [Listener<Application<DevicePeer>>]) {
    self.listeners.withLock { $0 = listeners }
  }

  func sweep() {
    let now = WallClock.seconds
    for listener in listeners.withLock({ $0 }) { listener.closeIdle { $0.refusal(at: now) != nil } }
  }
}
