internal import Synchronization

/// Where a server is between its start and its end.
final class Lifecycle: Sendable {
  private let draining = Atomic(false)

  /// Whether it is about to end: whoever sends it traffic should stop.
  var isDraining: Bool { draining.load(ordering: .acquiring) }

  func drain() { draining.store(true, ordering: .releasing) }
}
