internal import COpenSSL

/// What is written into a memory BIO, without the macro that Swift cannot call.
package enum MemoryBIO {
  /// Copies the contents.
  package static func contents(_ bio: OpaquePointer) -> [UInt8] {
    var start: UnsafeMutablePointer<CChar>?
    // SAFETY: BIO_CTRL_INFO stores the address of the BIO's own buffer, which is copied at once.
    let length = unsafe BIO_ctrl(bio, BIO_CTRL_INFO, 0, &start)
    guard length > 0, let start = unsafe start else { return [] }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: length))
  }
}
