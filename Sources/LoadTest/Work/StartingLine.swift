internal import Reactor

/// Where workers wait until all are there.
final class StartingLine: Sendable {
  private struct State {
    var missing: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
    var whenComplete: CheckedContinuation<Void, Never>?
    var isOpen = false
  }

  private let state: Lock<State>

  init(_ count: Int) { state = Lock(State(missing: count)) }

  /// Says that one more is there, and waits for the start.
  func arrive(on loop: isolated EventLoop) async {
    await loop.suspend(isolation: loop) { continuation in
      let (isOpen, complete) = state.withLock { state in
        state.missing -= 1
        if !state.isOpen { state.waiting.append(continuation) }
        defer { if state.missing == 0 { state.whenComplete = nil } }
        return (state.isOpen, state.missing == 0 ? state.whenComplete : nil)
      }
      if isOpen { continuation.resume() }
      complete?.resume()
    }
  }

  /// Returns when all are there.
  func complete() async {
    await withCheckedContinuation { continuation in
      let isComplete = state.withLock { state in
        if state.missing > 0 { state.whenComplete = continuation }
        return state.missing <= 0
      }
      if isComplete { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
