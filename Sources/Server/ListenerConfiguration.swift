public import HTTP
public import TLS

/// What a listener permits, and whom it tells.
public struct ListenerConfiguration: Sendable {
  /// Stands in metrics: `device`, `admin`, `ops`.
  public var name: String
  public var limits: RequestLimits
  public var timeouts: Timeouts
  /// More connections at once are closed as they come.
  public var maximumConnections: Int
  /// How long the end of the server waits for what is in flight.
  public var drain: Duration
  /// Is told of each certificate that was refused by an alert, on the connection's loop: it must not wait.
  public var onRefusal: @Sendable (Refusal) -> Void

  public init(
    name: String, limits: RequestLimits = RequestLimits(), timeouts: Timeouts = Timeouts(),
    maximumConnections: Int = .max, drain: Duration = .seconds(20),
    onRefusal: @escaping @Sendable (Refusal) -> Void = { _ in }
  ) {
    self.name = name
    self.limits = limits
    self.timeouts = timeouts
    self.maximumConnections = maximumConnections
    self.drain = drain
    self.onRefusal = onRefusal
  }
}
