internal import COpenSSL

/// What OpenSSL's callbacks find at their connection. It lives as long as the stream.
final class Handshake {
  /// Nil where no client certificate is asked for.
  let authentication: PeerAuthentication?
  /// The name that the client asked for, in lower case.
  var serverName: String?
  /// Why the presented certificate was refused.
  var refusal: Refusal?

  init(_ authentication: PeerAuthentication?) { self.authentication = authentication }

  /// Makes it known to a connection, which does not keep it alive.
  func attach(to ssl: OpaquePointer) -> Bool {
    unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque()) == 1
  }

  /// The handshake of a connection inside a callback.
  static func of(_ ssl: OpaquePointer?) -> Handshake? {
    // SAFETY: only `attach` writes slot 0, and callbacks run inside calls of the stream that owns the handshake.
    guard let ssl = unsafe ssl, let handshake = unsafe SSL_get_ex_data(ssl, 0) else { return nil }
    return unsafe Unmanaged<Handshake>.fromOpaque(handshake).takeUnretainedValue()
  }
}
