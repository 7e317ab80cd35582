internal import COpenSSL

/// Whose session it is and until when, hung on the `SSL_SESSION` itself and copied with it: a resumed connection is
/// its session's peer by construction.
final class SessionRecord: Sendable {
  /// The verifier's `Peer`.
  let peer: any Sendable
  /// The name that the client asked for; a session is never resumed under another (RFC 6066 section 3).
  let serverName: String?
  /// Seconds since 1970 from which the session is no longer resumed, however often it was.
  let deadline: Int64

  init(peer: any Sendable, serverName: String?, deadline: Int64) {
    self.peer = peer
    self.serverName = serverName
    self.deadline = deadline
  }

  /// Hangs the record on a session.
  func attach(to session: OpaquePointer) -> Bool {
    let retained = unsafe Unmanaged.passRetained(self)
    // SAFETY: the reference is released by `releaseRecord`, or here when OpenSSL did not take it.
    guard unsafe SSL_SESSION_set_ex_data(session, Self.index, retained.toOpaque()) == 1 else {
      unsafe retained.release()
      return false
    }
    return true
  }

  /// The record of a session.
  static func of(_ session: OpaquePointer) -> SessionRecord? {
    // SAFETY: only `attach` and `copyRecord` write this slot, and the session holds a reference.
    unsafe SSL_SESSION_get_ex_data(session, index).map {
      unsafe Unmanaged<SessionRecord>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private static let index = unsafe usher_tls_session_index(copyRecord, releaseRecord)
}

/// `ssl_session_dup` (TLS 1.3 makes a new session of the resumed one): both hold the record.
private func copyRecord(
  _ to: UnsafeMutablePointer<CRYPTO_EX_DATA>?, _ from: UnsafePointer<CRYPTO_EX_DATA>?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ index: Int32, _ number: Int,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 {
  // SAFETY: the slot holds what `attach` put there, or NULL.
  if let record = unsafe slot?.pointee { unsafe _ = Unmanaged<SessionRecord>.fromOpaque(record).retain() }
  return 1
}

/// The session is freed.
private func releaseRecord(
  _ parent: UnsafeMutableRawPointer?, _ record: UnsafeMutableRawPointer?,
  _ data: UnsafeMutablePointer<CRYPTO_EX_DATA>?,
  _ index: Int32, _ number: Int, _ argument: UnsafeMutableRawPointer?
) {
  // SAFETY: balances `attach` or `copyRecord`.
  if let record = unsafe record { unsafe Unmanaged<SessionRecord>.fromOpaque(record).release() }
}
