public import TLS

/// What lies between a listener's sockets and its requests.
public struct Transport<Peer: AnyObject & Sendable>: Sendable {
  /// Nil where there is no TLS.
  let makeStream: (@Sendable (_ descriptor: Int32) throws(TLSConfigurationError) -> TLSStream<Peer>)?
  /// Whether handshakes may wait for more than memory.
  let handshakesMayWait: Bool

  /// HTTP without TLS; requests have no peer.
  public static var plain: Transport { Transport(makeStream: nil, handshakesMayWait: false) }

  /// HTTP over TLS; requests have a peer where the context asks for a certificate.
  public static func tls<Verifier: PeerVerifier>(
    _ context: ServerContext<Verifier>
  ) -> Transport where Verifier.Peer == Peer {
    Transport(
      makeStream: { descriptor throws(TLSConfigurationError) in try context.makeStream(descriptor: descriptor)
      }, handshakesMayWait: context.handshakesMayWait)
  }
}
