internal import COpenSSL
internal import Cryptography
internal import Glibc

/// What every TLS connection of a listener shares, on all event loops: the server's certificate, whom it lets in, and the
/// sessions that may be resumed.
public final class ServerContext<Verifier: PeerVerifier>: Sendable {
  /// Whether clients are asked for a certificate.
  public enum ClientCertificates: Sendable {
    /// No CertificateRequest is sent, so that no browser asks its user for one; there are no sessions either.
    case none
    /// Every connection has a peer that the verifier accepted.
    case required(Verifier)
  }

  private let authentication: PeerAuthentication?
  private let current: Lock<SSLContext>

  /// A context that shows `credential`.
  ///
  /// At most `sessionCapacity` sessions can be resumed, each until its certificate ends and at most for 24 hours after its
  /// full handshake; `now` is the wall clock in seconds since 1970, the system's unless a test has its own.
  public init(
    credential: Credential, clientCertificates: ClientCertificates, sessionCapacity: Int = 10_000,
    now: (@Sendable () -> Int64)? = nil
  ) throws(TLSConfigurationError) {
    authentication =
      switch clientCertificates {
      case .none: nil
      case .required(let verifier):
        PeerAuthentication(verifier, sessionCapacity: sessionCapacity, now: now ?? { Int64(time(nil)) })
      }
    current = Lock(try Self.makeContext(credential, requiresPeer: authentication != nil))
  }

  /// Whether a handshake may wait for its verifier, and so must not run on an event loop.
  public var handshakesMayWait: Bool { authentication?.mayWait ?? false }

  /// How many sessions are kept now.
  public var sessionCount: Int { authentication?.sessions.count ?? 0 }

  /// Shows another certificate from the next connection on; those that exist are not touched, and sessions stay.
  ///
  /// When it throws, the old certificate stays.
  public func replaceCredential(_ credential: Credential) throws(TLSConfigurationError) {
    let replacement = try Self.makeContext(credential, requiresPeer: authentication != nil)
    // The old context is freed after the lock.
    _ = current.withLock { context in
      defer { context = replacement }
      return context
    }
  }

  /// A stream that serves a connection on a non-blocking socket, which it does not own and which must outlive it.
  public func makeStream(descriptor: Int32) throws(TLSConfigurationError) -> TLSStream<Verifier.Peer> {
    let handshake = Handshake(authentication)
    do throws(OpenSSLError) {
      let ssl = try current.withLock { $0 }.makeConnection(descriptor: descriptor, handshake: handshake)
      unsafe SSL_set_accept_state(ssl.raw)
      return TLSStream(ssl, handshake)
    } catch { throw TLSConfigurationError(error) }
  }

  private static func makeContext(
    _ credential: Credential, requiresPeer: Bool
  ) throws(TLSConfigurationError) -> SSLContext {
    do throws(OpenSSLError) {
      return unsafe try SSLContext(TLS_server_method(), credential: credential) {
        context throws(OpenSSLError) in
        // SAFETY: named top-level functions and a literal, copied by OpenSSL; the context is fresh.
        unsafe SSL_CTX_set_alpn_select_cb(context, selectApplicationProtocol, nil)
        unsafe SSL_CTX_set_client_hello_cb(context, readClientHello, nil)
        guard requiresPeer else {
          unsafe usher_tls_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
          unsafe SSL_CTX_set_num_tickets(context, 0)
          return
        }
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        unsafe SSL_CTX_set_cert_verify_callback(context, verifyPeer, nil)
        unsafe usher_tls_set_max_certificate_list(context, 12 * 1024)
        unsafe usher_tls_set_session_cache_mode(
          context, Int(SSL_SESS_CACHE_SERVER | SSL_SESS_CACHE_NO_INTERNAL))
        unsafe SSL_CTX_set_num_tickets(context, 1)
        unsafe SSL_CTX_set_timeout(context, Int(PeerAuthentication.longestSession))
        try OpenSSLCall.positive("SSL_CTX_set_session_id_context") {
          unsafe SSL_CTX_set_session_id_context(context, "usher", 5)
        }
        unsafe SSL_CTX_sess_set_new_cb(context, keepSession)
        unsafe SSL_CTX_sess_set_get_cb(context, findSession)
      }
    } catch { throw TLSConfigurationError(error) }
  }
}
