internal import Reactor

/// Lets so many of one loop's workers through at a time: a server that is sent thousands of handshakes at once rightly
/// gives up on the last.
final class Door {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var next = 0

  init(_ count: Int) { free = count }

  func enter(on loop: isolated EventLoop) async {
    if free > 0 {
      free -= 1
    } else {
      await loop.suspend(isolation: loop) { waiting.append($0) }
    }
  }

  func leave() {
    guard next < waiting.count else {
      free += 1
      return
    }
    waiting[next].resume()
    next += 1
  }
}
