import Fixtures
import Foundation
import Reactor
import TLS

/// A server that is killed and started again, and whose clock jumps, while many ask for seats.
final class HistoryServer: @unchecked Sendable {
  // SAFETY: `server` is crashed by one at a time, and asked by others only for its port; `changed` guards `isUp`.
  private let server: FurtherServer
  private let clock: ServerClock
  private let crashing = NSLock()
  private let changed = NSCondition()
  private var isUp = true

  init(of installation: Installation) throws {
    clock = try ServerClock(in: installation)
    server = try FurtherServer(of: installation, environment: clock.environment)
  }

  func crash() throws {
    crashing.lock()
    defer { crashing.unlock() }
    set(isUp: false)
    defer { set(isUp: true) }
    try server.crash()
  }

  func advance(bySeconds seconds: Int) throws { try clock.advance(bySeconds: seconds) }

  func stop() { server.stop() }

  /// Returns a connection once there is one.
  func connect(_ context: ClientContext) -> HeldConnection {
    while true {
      changed.lock()
      while !isUp { changed.wait() }
      changed.unlock()
      if let connection = try? HeldConnection(to: server.port, in: context) { return connection }
    }
  }

  private func set(isUp: Bool) {
    changed.lock()
    self.isUp = isUp
    changed.unlock()
    changed.broadcast()
  }
}
