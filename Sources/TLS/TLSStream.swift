internal import COpenSSL
internal import Cryptography

/// One TLS connection over a non-blocking socket that belongs to somebody else. It belongs to one event loop, but for
/// handshakes that may wait.
///
/// Each call does what it can and says what it waits for; nothing is retried inside. After `failed` every call fails
/// the same way.
@safe public final class TLSStream<Peer: AnyObject & Sendable> {
  /// Whom the connection belongs to, once the handshake is complete; nil where no client certificate is asked for.
  public private(set) var peer: Peer?
  /// Whether the handshake is complete.
  public private(set) var isEstablished = false
  private let ssl: OwnedPointer
  private let state: Handshake
  private var failure: TLSFailure?

  init(_ ssl: consuming OwnedPointer, _ state: Handshake) {
    self.ssl = ssl
    self.state = state
  }

  /// The host name that the client asked for (server_name), in lower case.
  public var serverName: String? { state.serverName }

  /// Whether an earlier session was resumed; the peer is that session's.
  public var isResumed: Bool { unsafe SSL_session_reused(ssl.raw) == 1 }

  /// The negotiated version, such as `TLSv1.3`.
  public var protocolVersion: String { unsafe String(cString: SSL_get_version(ssl.raw)) }

  /// Goes on with the handshake; `done` when it is complete.
  public func handshake() -> Progress {
    if isEstablished { return .done(0) }
    let progress = unsafe advance { unsafe usher_tls_handshake($0) }
    if case .done = progress {
      isEstablished = true
      // SAFETY: the session is lent by the live connection.
      peer = unsafe SSL_get_session(ssl.raw).flatMap { unsafe SessionRecord.of($0)?.peer as? Peer }
    }
    return progress
  }

  /// Goes on with the handshake on another thread, where its verifier may wait.
  ///
  /// Until `then` is called there nobody may touch the stream, and its socket must stay open.
  public func handshake(
    on run: (@escaping @Sendable () -> Void) -> Void, then: @escaping @Sendable (Progress) -> Void
  ) {
    // SAFETY: one thread at a time uses the stream: the loop leaves it alone until `then`, which hands it back through
    // the loop's queue.
    nonisolated(unsafe) let stream = self
    run { unsafe then(stream.handshake()) }
  }

  /// Reads what fits; call it until it wants to read, since OpenSSL may have read ahead of the socket.
  public func read(into buffer: inout MutableSpan<UInt8>) -> Progress {
    // SAFETY: OpenSSL writes at most `count` bytes into the borrowed span.
    unsafe advance { ssl in
      unsafe buffer.withUnsafeMutableBufferPointer { unsafe usher_tls_read(ssl, $0.baseAddress, $0.count) }
    }
  }

  /// Whether bytes that OpenSSL took from the socket are still with it: then there is something to read, or the rest of
  /// it is on its way, whatever the descriptor says.
  public var hasPending: Bool { unsafe SSL_has_pending(ssl.raw) == 1 }

  /// Writes what the socket takes, which may be less than there is; after `wantWrite` the same bytes must be offered again.
  public func write(_ bytes: Span<UInt8>) -> Progress {
    if bytes.isEmpty { return .done(0) }
    // SAFETY: OpenSSL reads at most `count` bytes of the borrowed span.
    return unsafe advance { ssl in
      unsafe bytes.withUnsafeBufferPointer { unsafe usher_tls_write(ssl, $0.baseAddress, $0.count) }
    }
  }

  /// Sends close_notify without waiting for the peer's.
  public func shutdown() -> Progress {
    guard isEstablished || failure != nil else { return .done(0) }
    return unsafe advance { unsafe usher_tls_shutdown($0) }
  }

  /// Lends the connection, which must be left as it is.
  func withUnsafeSSL<Result>(_ body: (OpaquePointer) -> Result) -> Result { unsafe body(ssl.raw) }

  private func advance(_ call: (OpaquePointer) -> usher_tls_outcome) -> Progress {
    if let failure { return .failed(failure) }
    let outcome = unsafe call(ssl.raw)
    switch outcome.error {
    case SSL_ERROR_NONE: return .done(outcome.count)
    case SSL_ERROR_WANT_READ: return .wantRead
    case SSL_ERROR_WANT_WRITE: return .wantWrite
    case SSL_ERROR_ZERO_RETURN: return .closed
    case SSL_ERROR_SYSCALL: return fail(outcome.system == 0 ? .truncated : .transport(outcome.system))
    default: return fail(readFailure())
    }
  }

  private func fail(_ failure: TLSFailure) -> Progress {
    self.failure = failure
    return .failed(failure)
  }

  private func readFailure() -> TLSFailure {
    let error = OpenSSLCall.drain("TLS")
    if let refusal = state.refusal { return .refused(refusal) }
    let verdict = unsafe SSL_get_verify_result(ssl.raw)
    for entry in error.entries {
      switch usher_tls_reason(entry.code) {
      case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
        return .refused(Refusal(.certificateRequired, "no certificate"))
      case SSL_R_CERTIFICATE_VERIFY_FAILED:
        return .untrusted(unsafe String(cString: X509_verify_cert_error_string(verdict)))
      case let reason:
        if let code = UInt8(exactly: reason - SSL_AD_REASON_OFFSET), let alert = Alert(rawValue: code) {
          return .alertReceived(alert)
        }
      }
    }
    return .protocolError(error.entries.map(\.reason).joined(separator: "; "))
  }
}
