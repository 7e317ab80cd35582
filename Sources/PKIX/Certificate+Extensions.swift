internal import COpenSSL
internal import Cryptography

/// Each accessor: nil or empty when the extension is absent, and an error (never "absent") when it is malformed or there twice.
extension Certificate {
  /// The subject alternative names, in order; empty without the extension.
  public var subjectAlternativeNames: [GeneralName] {
    get throws(CertificateError) {
      unsafe try decode(NID_subject_alt_name, "subjectAltName", release: GENERAL_NAMES_free) { names in
        // SAFETY: the stack and its names live during the closure.
        unsafe (0..<max(0, OPENSSL_sk_num(names))).compactMap { index in
          guard let name = unsafe OPENSSL_sk_value(names, index) else { return nil }
          return unsafe GeneralName(name.assumingMemoryBound(to: GENERAL_NAME.self))
        }
      } ?? []
    }
  }

  /// The extended key usages; nil without the extension, which is not the same as empty.
  public var extendedKeyUsage: [ObjectIdentifier]? {
    get throws(CertificateError) {
      unsafe try decode(NID_ext_key_usage, "extKeyUsage", release: EXTENDED_KEY_USAGE_free) { usages in
        unsafe (0..<max(0, OPENSSL_sk_num(usages))).map {
          unsafe ObjectIdentifier(OpaquePointer(OPENSSL_sk_value(usages, $0)))
        }
      }
    }
  }

  /// The key usage bits; nil without the extension.
  public var keyUsage: KeyUsage? {
    get throws(CertificateError) {
      unsafe try decode(NID_key_usage, "keyUsage", release: freeBitString) {
        bits in
        unsafe KeyUsage(bitString: ASN1Text.bytes(.init(bits)))
      }
    }
  }

  /// The basic constraints; nil without the extension.
  public var basicConstraints: BasicConstraints? {
    get throws(CertificateError) {
      let read = unsafe try decode(
        NID_basic_constraints, "basicConstraints", release: freeBasicConstraints
      ) { constraints -> BasicConstraints? in
        // SAFETY: the structure lives during the closure.
        let constraints = unsafe UnsafePointer<BASIC_CONSTRAINTS>(constraints).pointee
        guard let length = unsafe constraints.pathlen else {
          return unsafe BasicConstraints(isAuthority: constraints.ca != 0)
        }
        let value = unsafe ASN1_INTEGER_get(length)
        guard value >= 0, unsafe constraints.ca != 0 else { return nil }
        return BasicConstraints(isAuthority: true, pathLength: value)
      }
      if case .some(.none) = read { throw .malformed("basicConstraints") }
      return read ?? nil
    }
  }

  /// Whether it says that its key may sign certificates.
  public var isAuthority: Bool {
    get throws(CertificateError) { try basicConstraints?.isAuthority ?? false }
  }

  /// The key identifier that the certificate states for itself; nil without the extension.
  public var subjectKeyIdentifier: [UInt8]? {
    get throws(CertificateError) {
      unsafe try decode(
        NID_subject_key_identifier, "subjectKeyIdentifier",
        release: freeOctetString
      ) { unsafe ASN1Text.bytes(.init($0)) }
    }
  }

  /// The identifier of the issuer's key, a hint; nil without the extension or without its `keyIdentifier`.
  public var authorityKeyIdentifier: [UInt8]? {
    get throws(CertificateError) {
      unsafe try decode(
        NID_authority_key_identifier, "authorityKeyIdentifier",
        release: freeAuthorityKeyIdentifier
      ) { identifier -> [UInt8]? in
        // SAFETY: the structure lives during the closure.
        let identifier = unsafe UnsafePointer<AUTHORITY_KEYID>(identifier).pointee
        return unsafe identifier.keyid == nil ? nil : ASN1Text.bytes(identifier.keyid)
      } ?? nil
    }
  }

  /// Every extension as it stands, in order.
  package var extensions: [CertificateExtension] {
    // SAFETY: the extensions are lent by the certificate and copied.
    unsafe withUnsafeX509 { x509 in
      unsafe (0..<max(0, X509_get_ext_count(x509))).map { index in
        let element = unsafe X509_get_ext(x509, index)
        return unsafe CertificateExtension(
          ObjectIdentifier(X509_EXTENSION_get_object(element)),
          isCritical: X509_EXTENSION_get_critical(element) != 0,
          contents: ASN1Text.bytes(X509_EXTENSION_get_data(element)))
      }
    }
  }

  /// Decodes one extension into OpenSSL's structure for it, lends that to `read`, and frees it.
  func decode<Value>(
    _ nid: Int32, _ name: String, release: (OpaquePointer?) -> Void, _ read: (OpaquePointer) -> Value
  ) throws(CertificateError) -> Value? {
    var critical: Int32 = 0
    // SAFETY: the certificate is alive; the structure found belongs to this function.
    let found = unsafe withUnsafeX509 { x509 in
      unsafe OpenSSLCall.quietly { unsafe X509_get_ext_d2i(x509, nid, &critical, nil) }
    }
    guard let found = unsafe found else {
      // -1: absent; -2: there twice; anything else: its contents are not what they should be.
      if critical == -1 { return nil }
      throw .malformed(name)
    }
    defer { unsafe release(OpaquePointer(found)) }
    return unsafe read(OpaquePointer(found))
  }
}

private func freeBitString(_ object: OpaquePointer?) { unsafe ASN1_BIT_STRING_free(.init(object)) }

private func freeBasicConstraints(_ object: OpaquePointer?) { unsafe BASIC_CONSTRAINTS_free(.init(object)) }

private func freeOctetString(_ object: OpaquePointer?) { unsafe ASN1_OCTET_STRING_free(.init(object)) }

private func freeAuthorityKeyIdentifier(_ object: OpaquePointer?) {
  unsafe AUTHORITY_KEYID_free(.init(object))
}
