internal import COpenSSL

/// Keeps a new session (`SSL_CTX_sess_set_new_cb`). 1: the reference is ours.
func keepSession(_ ssl: OpaquePointer?, _ session: OpaquePointer?) -> Int32 {
  var length: UInt32 = 0
  // SAFETY: OpenSSL lends both for the call, and the session with a reference to keep.
  guard let session = unsafe session, let authentication = unsafe Handshake.of(ssl)?.authentication,
    let record = unsafe SessionRecord.of(session), authentication.mayKeep(record),
    let identifier = unsafe SessionIdentifier(SSL_SESSION_get_id(session, &length), length: Int(length))
  else { return 0 }
  authentication.sessions.store(unsafe Session(adopting: session, record: record), as: identifier)
  return 1
}

/// Looks a session up (`SSL_CTX_sess_set_get_cb`). Nothing: OpenSSL does a full handshake.
func findSession(
  _ ssl: OpaquePointer?, _ bytes: UnsafePointer<UInt8>?, _ length: Int32,
  _ copies: UnsafeMutablePointer<Int32>?
) -> OpaquePointer? {
  // SAFETY: OpenSSL lends `length` bytes and the flag. 0: the reference made here is the connection's.
  unsafe copies?.pointee = 0
  guard let handshake = unsafe Handshake.of(ssl), let authentication = handshake.authentication,
    let identifier = unsafe SessionIdentifier(bytes, length: Int(length)),
    let session = authentication.session(identifier, serverName: handshake.serverName)
  else { return nil }
  return unsafe session.retained()
}
