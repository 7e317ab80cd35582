/// What one call on a stream came to.
public enum Progress: Sendable {
  /// It was done: the handshake is complete, or this many bytes (one or more) were read or written.
  case done(Int)
  /// Call again when the descriptor is readable.
  case wantRead
  /// Call again when the descriptor is writable.
  case wantWrite
  /// The peer has closed its side in order (close_notify).
  case closed
  /// The connection is over.
  case failed(TLSFailure)
}
