/// How much a client may send, and how many may be connected.
public struct LimitConfiguration: Sendable, Equatable {
  /// More: 414.
  public var requestLineBytes = 8 * 1024
  /// All header fields together; more: 431.
  public var headerBytes = 16 * 1024
  /// More: 431.
  public var headerCount = 100
  /// More: 413.
  public var bodyBytes = 64 * 1024
  /// At once, over all listeners; more are closed as they come.
  public var connections = 20_000

  public init() {}
}
