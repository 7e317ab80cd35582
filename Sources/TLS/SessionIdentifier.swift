/// The 32 random bytes that name a session: the session id of TLS 1.2, the ticket of TLS 1.3.
struct SessionIdentifier: Sendable, Hashable {
  private let first: UInt64, second: UInt64, third: UInt64, fourth: UInt64

  /// Reads an identifier; any other length than ours is nobody's.
  init?(_ bytes: UnsafePointer<UInt8>?, length: Int) {
    guard let bytes = unsafe bytes, length == 32 else { return nil }
    // SAFETY: 32 bytes are there.
    let raw = unsafe UnsafeRawPointer(bytes)
    first = unsafe raw.loadUnaligned(as: UInt64.self)
    second = unsafe raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    third = unsafe raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    fourth = unsafe raw.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
  }
}
