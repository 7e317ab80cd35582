internal import COpenSSL
internal import Cryptography

/// No extension occurs twice, those that everybody knows can be read, and none that is critical is unknown
/// (RFC 5280 section 4.2).
///
/// Of two copies two readers could each follow another.
enum ExtensionsRule: CertificateRule {
  static func check(_ certificate: Certificate, as role: PathRole, under policy: PathPolicy)
    throws(CertificateFault)
  {
    let identifiers = certificate.extensions.map(\.identifier)
    guard Set(identifiers).count == identifiers.count else {
      throw CertificateFault(.malformed, "an extension occurs twice")
    }
    // SAFETY: reads the certificate and fills OpenSSL's caches under its lock; -1 says that an extension is invalid.
    let isReadable = unsafe certificate.withUnsafeX509 { x509 in
      OpenSSLCall.quietly { unsafe X509_check_purpose(x509, -1, 0) == 1 }
    }
    guard isReadable else { throw CertificateFault(.malformed, "an extension cannot be read") }
    let flags = unsafe certificate.withUnsafeX509 { unsafe X509_get_extension_flags($0) }
    guard flags & UInt32(EXFLAG_CRITICAL) == 0 else {
      throw CertificateFault(.forbidden, "an extension is critical and unknown")
    }
    if identifiers.contains(.authorityInfoAccess) {
      try CertificateFault.reading(certificate.requireReadableAccess)
    }
  }
}

extension Certificate {
  /// Throws unless the authority information access extension holds at least one description (section 4.2.2.1).
  fileprivate func requireReadableAccess() throws(CertificateError) {
    let name = "authorityInfoAccess"
    let count = unsafe try decode(NID_info_access, name, release: AUTHORITY_INFO_ACCESS_free) {
      unsafe OPENSSL_sk_num($0)
    }
    if let count, count < 1 { throw .malformed(name) }
  }
}
