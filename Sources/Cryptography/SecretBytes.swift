internal import COpenSSL

/// Bytes that are wiped when their owner lets them go: keys in the clear, for as long as they are needed.
@safe public struct SecretBytes: ~Copyable {
  private let buffer: UnsafeMutableBufferPointer<UInt8>

  /// So many zeros, to be written once.
  init(count: Int) {
    unsafe buffer = .allocate(capacity: count)
    unsafe buffer.initialize(repeating: 0)
  }

  /// A copy; whoever holds the original must wipe it.
  public init(copying bytes: [UInt8]) {
    self.init(count: bytes.count)
    unsafe _ = buffer.update(fromContentsOf: bytes)
  }

  deinit {
    // SAFETY: the buffer is this owner's alone. OPENSSL_cleanse is not optimized away as a plain write would be.
    unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    unsafe buffer.deallocate()
  }

  public var count: Int { unsafe buffer.count }

  /// A copy that nobody wipes, for a secret that goes out.
  public func revealed() -> [UInt8] { unsafe Array(buffer) }

  /// Whether these are the bytes.
  public func equals(_ bytes: [UInt8]) -> Bool { unsafe buffer.elementsEqual(bytes) }

  /// Lends the bytes; they must not be copied.
  func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(UnsafeBufferPointer(buffer))
  }

  /// Lends the bytes for writing.
  func withMutableBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(buffer)
  }
}
