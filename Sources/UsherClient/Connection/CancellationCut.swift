internal import Glibc
internal import Reactor

/// Cuts the connection that an operation waits on when its task is cancelled, from whatever thread that happens.
final class CancellationCut: Sendable {
  private struct State: Sendable { var descriptor: Int32?, isCut = false }
  private let state = Lock(State())

  var isCut: Bool { state.withLock { $0.isCut } }

  /// The socket that is waited on from now; nil before it is closed.
  func watch(_ descriptor: Int32?) {
    state.withLock { state in
      state.descriptor = descriptor
      if state.isCut, let descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// Wakes whoever waits on the socket.
  func cut() {
    state.withLock { state in
      state.isCut = true
      if let descriptor = state.descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }
}
