internal import Cryptography

/// Keys are P-256, P-384, P-521, Ed25519, or RSA of 2048 to 8192 bits in whole bytes, everywhere on the path.
///
/// OpenSSL's security level would let DSA, odd lengths and explicit curve parameters through.
enum PublicKeyRule: CertificateRule {
  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
  {
    guard let key = certificate.publicKey else {
      throw CertificateFault(.malformed, "the key cannot be read")
    }
    switch key.kind {
    case .p256, .p384, .p521, .ed25519: return
    case .rsa(let bits):
      guard (2048...8192).contains(bits), bits % 8 == 0 else {
        throw CertificateFault(.forbidden, "an RSA key of \(bits) bits")
      }
      guard let exponent = key.rsaExponent, exponent >= 3, exponent % 2 == 1 else {
        throw CertificateFault(.forbidden, "the RSA key's public exponent is unfit")
      }
    case .other(let name):
      throw CertificateFault(.forbidden, "a key of kind \(name) that is none of those accepted")
    }
  }
}
