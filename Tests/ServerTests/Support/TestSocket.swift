import Reactor

/// A connected socket that a test waits for without blocking a thread.
final class TestSocket: EventSource, Sendable {
  private struct State {
    var hasNews = false
    var waiting: CheckedContinuation<Bool, Never>?
    var wait = 0
  }

  private static let loops = Result { try EventLoopGroup(count: 1, name: "client") }

  let descriptor: Descriptor
  private let state = Lock(State())

  init(connectingTo address: SocketAddress) throws { descriptor = try .connecting(to: address) }

  static func loop() throws -> EventLoop { try loops.get().loops[0] }

  func ready(_ readiness: Readiness, on loop: isolated EventLoop) {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      state.hasNews = state.waiting == nil
      return state.waiting
    }
    waiting?.resume(returning: true)
  }

  /// Waits for a change since the last call; false when the time is up.
  func change(within limit: Duration = .seconds(50)) async throws -> Bool {
    let loop = try Self.loop()
    return await withCheckedContinuation { continuation in
      let wait: Int? = state.withLock { state in
        state.wait += 1
        guard !state.hasNews else {
          state.hasNews = false
          return nil
        }
        state.waiting = continuation
        return state.wait
      }
      guard let wait else { return continuation.resume(returning: true) }
      loop.submit { $0.schedule(after: limit) { self.giveUp(wait) } }
    }
  }

  private func giveUp(_ wait: Int) {
    let waiting: CheckedContinuation<Bool, Never>? = state.withLock { state in
      guard state.wait == wait else { return nil }
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: false)
  }
}
