internal import COpenSSL
internal import Cryptography
public import PKIX

/// The client's side: which servers it believes, and the certificate it shows. It resumes a session only when told to.
public final class ClientContext: Sendable {
  private let context: SSLContext

  /// Believes servers whose certificate leads to one of `authorities`, and nobody else: the system's store is not asked.
  ///
  /// `credential` is what the client shows when asked for a certificate; without one it shows none.
  public convenience init(
    authorities: [Certificate], credential: Credential? = nil
  ) throws(TLSConfigurationError) {
    try self.init(authorities: authorities, credential: credential, highest: TLS1_3_VERSION)
  }

  /// The same, with the highest version that it offers.
  init(authorities: [Certificate], credential: Credential?, highest: Int32) throws(TLSConfigurationError) {
    guard !authorities.isEmpty else {
      throw TLSConfigurationError("there is no certificate of a server's authority")
    }
    do throws(OpenSSLError) {
      context = unsafe try SSLContext(TLS_client_method(), credential: credential, highest: highest) {
        (context) throws(OpenSSLError) in
        // SAFETY: the context is fresh; the store retains what is added.
        let store = unsafe SSL_CTX_get_cert_store(context)
        for authority in authorities {
          try OpenSSLCall.positive("X509_STORE_add_cert") {
            unsafe authority.withUnsafeX509 { unsafe X509_STORE_add_cert(store, $0) }
          }
        }
        // A pinned authority need not be a root.
        unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        unsafe usher_tls_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
        try OpenSSLCall.positive("SSL_CTX_set_alpn_protos") {
          // The one call of OpenSSL in which 0 is success.
          unsafe SSL_CTX_set_alpn_protos(context, "\u{8}http/1.1", 9) == 0 ? 1 : 0
        }
      }
    } catch { throw TLSConfigurationError(error) }
  }

  /// A stream to the server `host`, a DNS name or an IP address that its certificate must name, over a connected
  /// non-blocking socket, which it does not own and which must outlive it.
  ///
  /// - Parameters:
  ///   - credential: what this one connection shows, instead of the context's own.
  ///   - session: of an earlier connection to the same server with the same credential, offered to be resumed.
  public func makeStream(
    descriptor: Int32, host: String, credential: Credential? = nil, resuming session: ClientSession? = nil
  ) throws(TLSConfigurationError) -> TLSStream<NoPeer> {
    let handshake = Handshake(nil)
    do throws(OpenSSLError) {
      let ssl = try context.makeConnection(descriptor: descriptor, handshake: handshake)
      unsafe SSL_set_connect_state(ssl.raw)
      // SAFETY: the connection is fresh and its parameters are its own; the name is copied.
      let isAddress = OpenSSLCall.quietly {
        unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl.raw), host) == 1
      }
      if !isAddress {
        unsafe SSL_set_hostflags(ssl.raw, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        try OpenSSLCall.positive("SSL_set1_host") { unsafe SSL_set1_host(ssl.raw, host) }
        try OpenSSLCall.positive("SSL_set_tlsext_host_name") {
          unsafe usher_tls_set_server_name(ssl.raw, host)
        }
      }
      if let credential { unsafe try credential.show(by: ssl.raw) }
      if let session { try session.offer(by: ssl) }
      return TLSStream(ssl, handshake)
    } catch { throw TLSConfigurationError(error) }
  }
}
