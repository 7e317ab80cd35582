internal import COpenSSL

/// Judges the client's certificate in place of OpenSSL's own chain building (`SSL_CTX_set_cert_verify_callback`).
func verifyPeer(_ store: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  // SAFETY: OpenSSL lends the store context for the call, and its slot holds the connection.
  guard let store = unsafe store,
    let connection = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
    let session = unsafe SSL_get_session(OpaquePointer(connection)),
    let handshake = unsafe Handshake.of(OpaquePointer(connection)),
    let authentication = handshake.authentication
  else { return 0 }
  do throws(Refusal) {
    let chain = unsafe try PresentedChain(store, serverName: handshake.serverName)
    let record = try authentication.record(chain)
    guard unsafe record.attach(to: session) else { throw Refusal(.internalError, "out of memory") }
    // What the verifier asked of OpenSSL is not this handshake's business.
    ERR_clear_error()
    unsafe X509_STORE_CTX_set_error(store, X509_V_OK)
    return 1
  } catch {
    handshake.refusal = error
    ERR_clear_error()
    unsafe X509_STORE_CTX_set_error(store, error.alert.verifyError)
    return 0
  }
}
