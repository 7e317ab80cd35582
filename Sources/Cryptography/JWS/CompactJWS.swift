/// A JSON Web Signature in its compact form (RFC 7515 section 7.1), signed with ES256 and nothing else.
///
/// What the header says of the algorithm is for its reader to compare; it never chooses how the signature is verified.
public struct CompactJWS: Sendable {
  /// The protected header, JSON.
  public let header: [UInt8]
  public let payload: [UInt8]
  private let signature: [UInt8]
  private let signed: [UInt8]

  /// Reads `header.payload.signature`; nil for anything else, padding and white space included.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64.decodeURL(String(parts[0])),
      let payload = Base64.decodeURL(String(parts[1])), let signature = Base64.decodeURL(String(parts[2]))
    else { return nil }
    self.header = header
    self.payload = payload
    self.signature = signature
    signed = Array("\(parts[0]).\(parts[1])".utf8)
  }

  /// Whether this key, which must be P-256, made the signature.
  public func isSigned(by key: PublicKey) -> Bool {
    guard key.kind == .p256, let der = ECDSASignature.der(raw: signature) else { return false }
    return key.verifies(der, of: signed, digest: .sha256)
  }

  /// Signs `payload` under the protected `header`, which must say `"alg":"ES256"`; the signer's key is P-256.
  public static func sign(
    _ payload: [UInt8], header: [UInt8], by signer: some Signer
  ) throws(OpenSSLError) -> String {
    let signed = "\(Base64.encodeURL(header)).\(Base64.encodeURL(payload))"
    guard signer.signatureAlgorithm == .ecdsaSHA256,
      let signature = ECDSASignature.raw(der: try signer.sign(Array(signed.utf8)))
    else { throw OpenSSLError(operation: "signing with ES256: the key is not P-256") }
    return "\(signed).\(Base64.encodeURL(signature))"
  }
}
