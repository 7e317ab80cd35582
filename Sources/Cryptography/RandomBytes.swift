internal import COpenSSL

/// Bytes from OpenSSL's generator, fit for serial numbers, tokens and nonces.
public enum RandomBytes {
  /// Returns `count` random bytes; it throws when the generator cannot be seeded.
  public static func make(_ count: Int) throws(OpenSSLError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try OpenSSLCall.positive("RAND_bytes") {
      // SAFETY: the array's storage holds `count` bytes for the whole call.
      unsafe RAND_bytes(&bytes, Int32(clamping: count))
    }
    return bytes
  }
}
