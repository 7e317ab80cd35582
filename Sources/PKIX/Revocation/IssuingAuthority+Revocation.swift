public import Cryptography

extension IssuingAuthority {
  /// Signs a revocation list of this authority's own certificates, and returns its DER.
  ///
  /// An authority past its own end signs lists still: what it revoked stays revoked.
  public func sign(_ contents: RevocationListContents) throws(IssuingError) -> [UInt8] {
    do {
      return try contents.signed(
        by: signer, issuer: certificate.subject, keyIdentifier: try certificate.keyIdentifier())
    } catch let error as OpenSSLError {
      throw .signing(error)
    } catch {
      throw .selfCheck("the authority: \(error)")
    }
  }

  /// Certifies a key that answers OCSP in the authority's name (RFC 6960 section 4.2.2.2), for `lifetime` seconds.
  ///
  /// Such a key can do nothing else, and whether it is revoked is not asked (`id-pkix-ocsp-nocheck`): it lives shortly.
  public func issueResponder(
    to key: PublicKey, lifetime: Int64, at now: Int64
  ) throws(IssuingError) -> Certificate {
    try issue(
      subject: try Self.subject("OCSP responder"), key: key,
      extensions: [
        .extendedKeyUsage([.ocspSigning]), CertificateExtension(.ocspNoCheck, contents: DER.null),
      ],
      lifetime: lifetime, minimumLifetime: min(3600, lifetime), at: now)
  }
}

extension Certificate {
  /// The identifier by which what this certificate signs names its key: as stated, else computed.
  func keyIdentifier() throws(CertificateError) -> [UInt8] {
    try subjectKeyIdentifier ?? computedKeyIdentifier
  }
}
