public import Reactor
internal import Synchronization

/// How much of what other servers did this one has heard (design invariant 4).
public final class FeedHealth: Sendable {
  public enum Freshness: Sendable {
    /// The last poll succeeded, and began less than a second ago: memory is trusted.
    case fresh
    /// Checks of held seats and handshakes go on from memory; nothing new is granted.
    case stale
    /// Nothing is answered from memory any more.
    case lost
  }

  private let lastPoll = Atomic<Int64>(.min)
  private let hasFailed = Atomic(false)
  private let staleNanoseconds: Int64

  public init(staleSeconds: Int64) { staleNanoseconds = staleSeconds * 1_000_000_000 }

  /// Notes a poll that succeeded, by the time at which it began.
  public func succeeded(begunAt start: MonotonicInstant) {
    lastPoll.store(start.nanoseconds, ordering: .releasing)
    hasFailed.store(false, ordering: .releasing)
  }

  /// Notes a poll that failed: until everything has been read anew, nobody knows what was missed.
  public func failed() { hasFailed.store(true, ordering: .releasing) }

  public func freshness(at now: MonotonicInstant = .now) -> Freshness {
    let last = lastPoll.load(ordering: .acquiring)
    if last == .min { return .lost }
    let age = now.nanoseconds - last
    if age < 1_000_000_000, !hasFailed.load(ordering: .acquiring) { return .fresh }
    return age < staleNanoseconds ? .stale : .lost
  }
}
