/// What every `i2d_…` function has in common.
package enum DER {
  /// Calls an `i2d_…` function twice: for the length, then into an array of it.
  package static func encoded(
    _ operation: StaticString, _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
  ) throws(OpenSSLError) -> [UInt8] {
    let length = try OpenSSLCall.positive(operation) { encode(nil) }
    var written: Int32 = 0
    // SAFETY: the object is not changed between the calls, so the second writes exactly `length` bytes.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      var cursor = buffer.baseAddress
      written = unsafe encode(&cursor)
      count = Int(written == length ? length : 0)
    }
    guard written == length else { throw OpenSSLCall.drain(operation) }
    return bytes
  }
}
