/// HKDF with SHA-256 (RFC 5869), for keys of 32 bytes.
public enum HKDF {
  /// The first 32 bytes derived from `secret`; `information` keeps uses of one secret apart.
  public static func sha256(
    _ secret: [UInt8], salt: [UInt8], information: [UInt8]
  ) throws(OpenSSLError) -> [UInt8] {
    try HMAC.sha256(information + [1], key: try HMAC.sha256(secret, key: salt))
  }
}
