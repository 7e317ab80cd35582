/// Something that signs with a private key it holds, wherever the key lives: a file, memory, a PKCS#11 token.
///
/// Certificates, revocation lists and OCSP answers are all signed through this seam, over their to-be-signed bytes.
public protocol Signer: Sendable {
  /// The public half, which goes into certificates.
  var publicKey: PublicKey { get }

  /// How `sign` signs.
  var signatureAlgorithm: SignatureAlgorithm { get }

  /// Signs `message`; the result is what the BIT STRING of a certificate holds (DER for ECDSA).
  ///
  /// It may take long (RSA, a token over USB): call it off the event loops.
  func sign(_ message: [UInt8]) throws(OpenSSLError) -> [UInt8]
}
