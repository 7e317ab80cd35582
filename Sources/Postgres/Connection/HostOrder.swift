internal import Synchronization

/// Which of the hosts worked last, so that nobody waits again for one that is gone.
final class HostOrder: Sendable {
  private let index = Atomic(0)

  var first: Int { index.load(ordering: .relaxed) }

  func worked(_ index: Int) { self.index.store(index, ordering: .relaxed) }
}
