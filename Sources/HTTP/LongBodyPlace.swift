internal import Synchronization

/// One of the few places for long bodies in this process, for those whom the application has let in.
///
/// It is held as long as the request is.
final class LongBodyPlace: Sendable {
  static let limit = 4
  private static let taken = Atomic(0)

  init() throws(RequestFailure) {
    guard Self.taken.add(1, ordering: .relaxed).newValue <= Self.limit else {
      Self.taken.subtract(1, ordering: .relaxed)
      throw RequestFailure(.bodyTooLarge, "Too many long bodies are being read: try again in a moment.")
    }
  }

  deinit { Self.taken.subtract(1, ordering: .relaxed) }
}
