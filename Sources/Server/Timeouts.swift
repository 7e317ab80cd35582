/// How long a connection may take for what. Each is absolute: a client that sends a byte now and then gains nothing.
public struct Timeouts: Sendable, Hashable {
  /// From the connection to the end of the TLS handshake.
  public var handshake: Duration
  /// From the first byte of a request to the end of its head.
  public var header: Duration
  /// From the end of the head to the end of the body.
  public var body: Duration
  /// From the answer to its last byte in the kernel.
  public var write: Duration
  /// Between two requests.
  public var idle: Duration
  /// After our last byte, for the peer to read it before the connection is closed.
  public var linger: Duration

  public init(
    handshake: Duration = .seconds(10), header: Duration = .seconds(10), body: Duration = .seconds(30),
    write: Duration = .seconds(30), idle: Duration = .seconds(300), linger: Duration = .seconds(2)
  ) {
    self.handshake = handshake
    self.header = header
    self.body = body
    self.write = write
    self.idle = idle
    self.linger = linger
  }
}
