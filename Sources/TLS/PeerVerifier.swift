/// Decides whom a presented certificate speaks for: the seam through which TLS learns of trust.
///
/// Both calls run on the event loop inside the handshake: they only read memory and return at once. The exception is a
/// `verify` that says it may wait.
public protocol PeerVerifier<Peer>: Sendable {
  /// Whom a connection belongs to.
  associatedtype Peer: AnyObject, Sendable

  /// Whether `verify` may wait for something outside memory: then no handshake runs on an event loop. False by default.
  var mayWait: Bool { get }

  /// Judges the chain of a full handshake.
  ///
  /// It is asked before the peer has shown that it holds the key: a verdict must have no effect beyond its result,
  /// and the peer is on the stream only when the handshake is complete. A known but refused peer is a `Peer` too, of a
  /// kind that no handler accepts; throwing ends the handshake with the refusal's alert.
  func verify(_ chain: borrowing PresentedChain) throws(Refusal) -> Peer

  /// Whether a peer of an earlier handshake would be judged the same now, where the client asks for `serverName` again.
  ///
  /// It is asked when a session is to be kept, and when it is looked up; `false` makes OpenSSL fall back to a full
  /// handshake.
  func stillStands(_ peer: Peer, under serverName: String?) -> Bool
}

extension PeerVerifier {
  public var mayWait: Bool { false }
}
