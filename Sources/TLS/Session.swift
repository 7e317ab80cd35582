internal import COpenSSL

/// One reference on an `SSL_SESSION`, and its record.
// SAFETY: sessions in the cache are not changed (TLS 1.3 resumption duplicates them), their count is atomic.
@safe final class Session: @unchecked Sendable {
  let record: SessionRecord
  private let pointer: OpaquePointer

  /// Takes over one reference on a session that has a record.
  init(adopting pointer: OpaquePointer, record: SessionRecord) {
    unsafe self.pointer = pointer
    self.record = record
  }

  deinit { unsafe SSL_SESSION_free(pointer) }

  /// A further reference, which the caller frees.
  func retained() -> OpaquePointer {
    unsafe SSL_SESSION_up_ref(pointer)
    return unsafe pointer
  }
}
