internal import CLinux

/// What has changed about a descriptor since the last time (edge-triggered): a hint to try, never a promise.
public struct Readiness: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// There may be something to read.
  public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  /// There may be room to write.
  public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The peer has finished writing (EPOLLRDHUP).
  public static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
  /// The descriptor has failed or is closed in both directions (EPOLLERR, EPOLLHUP).
  public static let failed = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
}
