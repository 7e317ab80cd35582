internal import COpenSSL
public import Cryptography

extension CertificationRequest {
  /// Makes a request in DER for the signer's key, with one common name and no extensions.
  public static func make(commonName: String, signer: any Signer) throws(OpenSSLError) -> [UInt8] {
    try make(DistinguishedName(commonName: commonName), attributes: [], signer: signer)
  }

  /// Makes a request in DER for an authority's certificate: it asks for what a root of the profile would have.
  public static func make(_ profile: RootProfile, signer: any Signer) throws(IssuingError) -> [UInt8] {
    let name = try IssuingAuthority.subject(profile.commonName)
    let extensions = try IssuingAuthority.extensions(of: profile, key: signer.publicKey)
    let attribute = DER.sequence(
      DER.objectIdentifier(.extensionRequest), DER.set(DER.sequence(of: extensions.map(\.der))))
    do {
      return try make(name, attributes: attribute, signer: signer)
    } catch {
      throw .signing(error)
    }
  }

  private static func make(
    _ name: DistinguishedName, attributes: [UInt8], signer: any Signer
  ) throws(OpenSSLError) -> [UInt8] {
    let contents = DER.sequence(
      DER.integer(0), name.der, signer.publicKey.subjectPublicKeyInfo, DER.tagged(0, attributes))
    return DER.sequence(
      contents, signer.signatureAlgorithm.algorithmIdentifier, DER.bitString(try signer.sign(contents)))
  }
}
