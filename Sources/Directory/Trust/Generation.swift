internal import Synchronization

/// Counts the versions of something, so that what was concluded from one is known to be old under the next.
final class Generation: Sendable {
  private let raw = Atomic<UInt64>(1)

  var value: UInt64 { raw.load(ordering: .acquiring) }

  func advance() { raw.add(1, ordering: .acquiringAndReleasing) }
}
