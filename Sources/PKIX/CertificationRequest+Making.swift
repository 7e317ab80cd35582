internal import COpenSSL
public import Cryptography

extension CertificationRequest {
  /// Makes a request in DER for the signer's key, with one common name and no extensions.
  public static func make(commonName: String, signer: any Signer) throws(OpenSSLError) -> [UInt8] {
    let contents = DER.sequence(
      DER.integer(0), DistinguishedName(commonName: commonName).der, signer.publicKey.subjectPublicKeyInfo,
      DER.tagged(0))
    return DER.sequence(
      contents, signer.signatureAlgorithm.algorithmIdentifier, DER.bitString(try signer.sign(contents)))
  }
}
