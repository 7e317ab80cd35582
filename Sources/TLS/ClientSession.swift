internal import COpenSSL
internal import Cryptography

/// What a client may resume: the secrets of an earlier connection, and the server's certificate that went with it.
// SAFETY: it is not changed after it was taken from its connection (a resumption in TLS 1.3 works on a copy), and
// OpenSSL counts its references atomically.
@safe public final class ClientSession: @unchecked Sendable {
  private let session: OwnedPointer

  init(_ session: consuming OwnedPointer) { self.session = session }

  /// Offers it in the handshake of a fresh connection. The server may decline.
  func offer(by ssl: borrowing OwnedPointer) throws(OpenSSLError) {
    try OpenSSLCall.positive("SSL_set_session") { unsafe SSL_set_session(ssl.raw, session.raw) }
  }
}

extension TLSStream where Peer == NoPeer {
  /// What a later connection may resume; nil while the server has given nothing for it. In TLS 1.3 that comes after
  /// the handshake, together with the first answer.
  public var resumableSession: ClientSession? {
    unsafe withUnsafeSSL { ssl in
      // SAFETY: the call adds the reference that is taken over here.
      guard let session = unsafe SSL_get1_session(ssl) else { return nil }
      let owned = unsafe OwnedPointer(session, release: SSL_SESSION_free)
      guard unsafe SSL_SESSION_is_resumable(session) == 1 else { return nil }
      return ClientSession(owned)
    }
  }
}
