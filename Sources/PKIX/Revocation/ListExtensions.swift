internal import COpenSSL

/// The extensions of a revocation list or of one of its entries, copied.
struct ListExtensions {
  let all: [CertificateExtension]

  /// Reads them from a live owner by its own two functions.
  init(
    owner: OpaquePointer, count: (OpaquePointer?) -> Int32, at: (OpaquePointer?, Int32) -> OpaquePointer?
  ) {
    // SAFETY: the extensions are lent by the owner and copied.
    all = unsafe (0..<max(0, count(owner))).map { index in
      let element = unsafe at(owner, index)
      return unsafe CertificateExtension(
        ObjectIdentifier(X509_EXTENSION_get_object(element)),
        isCritical: X509_EXTENSION_get_critical(element) != 0,
        contents: ASN1Text.bytes(X509_EXTENSION_get_data(element)))
    }
  }

  /// Whether none is there twice.
  var areDistinct: Bool { Set(all.map(\.identifier)).count == all.count }
}

extension CertificateExtension {
  /// Whether an issuing distribution point says that the list is indirect (RFC 5280 section 5.2.5).
  var isIndirect: Bool {
    unsafe contents.withUnsafeBufferPointer { buffer in
      // SAFETY: the cursor stays inside the array; the structure is freed here.
      var cursor = buffer.baseAddress
      guard let point = unsafe d2i_ISSUING_DIST_POINT(nil, &cursor, buffer.count) else {
        ERR_clear_error()
        return false
      }
      defer { unsafe ISSUING_DIST_POINT_free(point) }
      return unsafe point.pointee.indirectCRL > 0
    }
  }
}
