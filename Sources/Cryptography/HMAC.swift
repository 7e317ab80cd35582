internal import COpenSSL

/// HMAC-SHA-256 (RFC 2104).
public enum HMAC {
  /// The 32-byte code of `message` under `key`.
  public static func sha256(_ message: [UInt8], key: [UInt8]) throws(OpenSSLError) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    _ = unsafe try OpenSSLCall.object("HMAC") {
      // SAFETY: `code` has the algorithm's length, and all arrays outlive the call.
      unsafe COpenSSL.HMAC(
        DigestAlgorithm.sha256.fetched, key, Int32(clamping: key.count), message, message.count, &code, nil)
    }
    return code
  }

  /// Whether `code` belongs to `message`, in constant time.
  public static func isValid(
    _ code: [UInt8], for message: [UInt8], key: [UInt8]
  ) throws(OpenSSLError) -> Bool {
    ConstantTime.equal(code, try sha256(message, key: key))
  }
}
