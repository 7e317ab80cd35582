internal import Reactor

/// When what begins now has taken too long.
struct Deadlines: Sendable {
  private let handshake, header, body, write, idle, linger: Int64

  init(_ timeouts: Timeouts) {
    handshake = timeouts.handshake.nanoseconds
    header = timeouts.header.nanoseconds
    body = timeouts.body.nanoseconds
    write = timeouts.write.nanoseconds
    idle = timeouts.idle.nanoseconds
    linger = timeouts.linger.nanoseconds
  }

  func end(of timeout: ConnectionMachine.Timeout, from now: MonotonicInstant) -> MonotonicInstant {
    switch timeout {
    case .handshake: now.advanced(byNanoseconds: handshake)
    case .idle: now.advanced(byNanoseconds: idle)
    case .header: now.advanced(byNanoseconds: header)
    case .body: now.advanced(byNanoseconds: body)
    case .write: now.advanced(byNanoseconds: write)
    }
  }

  func endOfLingering(from now: MonotonicInstant) -> MonotonicInstant {
    now.advanced(byNanoseconds: linger)
  }
}
