/// How long a client may take for each thing.
public struct TimeoutConfiguration: Sendable, Equatable {
  /// From the connection to the end of the TLS handshake.
  public var handshake: Duration = .seconds(10)
  /// From the first byte of a request to the end of its header.
  public var header: Duration = .seconds(10)
  /// From the end of the header to the end of the body.
  public var body: Duration = .seconds(30)
  /// For taking an answer.
  public var write: Duration = .seconds(30)
  /// Between requests.
  public var idle: Duration = .seconds(300)
  /// For what is in flight when the server stops.
  public var drain: Duration = .seconds(30)

  public init() {}
}
