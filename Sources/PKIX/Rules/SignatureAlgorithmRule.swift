internal import COpenSSL

/// Signatures are made with SHA-2: collisions in MD5 and SHA-1 let one signature serve two certificates.
///
/// An anchor is not trusted by its own signature: there it is only a warning.
enum SignatureAlgorithmRule: CertificateRule {
  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
  {
    if role == .anchor { return }
    guard isStrong(certificate) else {
      throw CertificateFault(
        .forbidden, "the signature algorithm is not one of SHA-2 with ECDSA, RSA or Ed25519")
    }
  }

  static func isStrong(_ certificate: Certificate) -> Bool {
    // SAFETY: the algorithm is lent by the certificate.
    unsafe certificate.withUnsafeX509 { x509 in
      var algorithm: UnsafePointer<X509_ALGOR>?
      unsafe X509_get0_signature(nil, &algorithm, x509)
      return unsafe isStrong(X509_get_signature_nid(x509), algorithm)
    }
  }

  /// Whether a signature algorithm is one of those accepted; `identifier` is the same with its parameters.
  static func isStrong(_ nid: Int32, _ identifier: UnsafePointer<X509_ALGOR>?) -> Bool {
    switch nid {
    case NID_ecdsa_with_SHA256, NID_ecdsa_with_SHA384, NID_ecdsa_with_SHA512, NID_ED25519,
      NID_sha256WithRSAEncryption, NID_sha384WithRSAEncryption, NID_sha512WithRSAEncryption:
      true
    // SAFETY: reads the identifier, which the caller lends.
    case NID_rsassaPss: unsafe usher_pss_uses_sha2(identifier)
    default: false
    }
  }
}
