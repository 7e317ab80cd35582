internal import COpenSSL
public import Cryptography

extension Certificate {
  /// The serial number, as its issuer wrote it.
  public var serialNumber: SerialNumber {
    // SAFETY: the integer is lent by the certificate and copied.
    unsafe withUnsafeX509 { x509 in unsafe SerialNumber(X509_get0_serialNumber(x509)) }
  }

  /// Bytes of its DER.
  public var encodedLength: Int { unsafe withUnsafeX509 { unsafe Int(max(0, i2d_X509($0, nil))) } }

  /// The X.509 version: 3 for everything modern.
  public var version: Int { unsafe withUnsafeX509 { unsafe Int(X509_get_version($0)) + 1 } }

  /// The subject's name.
  public var subject: DistinguishedName {
    unsafe withUnsafeX509 { unsafe DistinguishedName(copying: X509_get_subject_name($0)) }
  }

  /// The issuer's name, which proves nothing about who issued it.
  public var issuer: DistinguishedName {
    unsafe withUnsafeX509 { unsafe DistinguishedName(copying: X509_get_issuer_name($0)) }
  }

  /// The key; nil if OpenSSL cannot make a key of it.
  public var publicKey: PublicKey? {
    try? PublicKey(subjectPublicKeyInfo: subjectPublicKeyInfo)
  }

  /// The DER SubjectPublicKeyInfo.
  public var subjectPublicKeyInfo: [UInt8] {
    // SAFETY: the structure is lent by the certificate; encoding does not change it.
    (unsafe try? withUnsafeX509 { x509 throws(OpenSSLError) in
      unsafe try DER.encoded("i2d_X509_PUBKEY") { unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(x509), $0) }
    }) ?? []
  }

  /// The key identifier that RFC 5280 section 4.2.1.2 (1) computes: SHA-1 over the key's bits.
  ///
  /// Unlike the one a certificate states it cannot be chosen freely, but it is a hint for finding candidates all the same.
  public var computedKeyIdentifier: [UInt8] {
    var digest = [UInt8](repeating: 0, count: 20)
    // SAFETY: `digest` has SHA-1's length.
    let made = unsafe withUnsafeX509 { x509 in
      OpenSSLCall.quietly { unsafe X509_pubkey_digest(x509, DigestAlgorithm.sha1.fetched, &digest, nil) }
    }
    return made == 1 ? digest : []
  }

  /// Whether `key` made this certificate's signature. This alone says nothing about trust.
  public func isSigned(by key: PublicKey) -> Bool {
    unsafe withUnsafeX509 { x509 in
      unsafe key.withUnsafeKey { key in OpenSSLCall.quietly { unsafe X509_verify(x509, key) == 1 } }
    }
  }
}
