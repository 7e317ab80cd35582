import Reactor

/// A connected socket that a test waits for without blocking a thread.
final class TestSocket: EventSource, Sendable {
  private struct State {
    var hasNews = false
    var waiting: (continuation: CheckedContinuation<Bool, Never>, timer: TimerID)?
  }

  private static let loops = Result { try EventLoopGroup(count: 1, name: "client") }

  let descriptor: Descriptor
  /// Changed on the loop alone.
  private let state = Lock(State())

  init(connectingTo address: SocketAddress) throws { descriptor = try .connecting(to: address) }

  static func loop() throws -> EventLoop { try loops.get().loops[0] }

  func ready(_ readiness: Readiness, on loop: isolated EventLoop) {
    if !endWait(true, on: loop) { state.withLock { $0.hasNews = true } }
  }

  /// Waits for a change since the last call; false when the time is up.
  func change(within limit: Duration = .seconds(50)) async throws -> Bool {
    let loop = try Self.loop()
    return await withCheckedContinuation { continuation in
      loop.submit { loop in
        let isOver = self.state.withLock { state in
          defer { state.hasNews = false }
          return state.hasNews
        }
        if isOver { return continuation.resume(returning: true) }
        let timer = loop.schedule(after: limit) { loop in _ = self.endWait(false, on: loop) }
        self.state.withLock { $0.waiting = (continuation, timer) }
      }
    }
  }

  /// Tells whoever waits, and takes the timer back: it would keep the socket open.
  private func endWait(_ hasNews: Bool, on loop: isolated EventLoop) -> Bool {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
    guard let waiting else { return false }
    loop.cancel(waiting.timer)
    waiting.continuation.resume(returning: hasNews)
    return true
  }
}
