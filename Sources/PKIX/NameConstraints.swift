internal import COpenSSL
internal import Cryptography

/// The name constraints extension (RFC 5280 section 4.2.1.10). OpenSSL applies it; here its own shape is read.
struct NameConstraints {
  let permitted: [GeneralName]
  let excluded: [GeneralName]
}

extension Certificate {
  /// The name constraints; nil without the extension.
  var nameConstraints: NameConstraints? {
    get throws(CertificateError) {
      unsafe try decode(NID_name_constraints, "nameConstraints", release: freeNameConstraints) {
        constraints in
        // SAFETY: the structure lives during the closure.
        let constraints = unsafe UnsafePointer<NAME_CONSTRAINTS>(constraints).pointee
        return unsafe NameConstraints(
          permitted: names(constraints.permittedSubtrees), excluded: names(constraints.excludedSubtrees))
      }
    }
  }

  private func names(_ subtrees: OpaquePointer?) -> [GeneralName] {
    // SAFETY: the stack of subtrees is alive, and each has a base.
    unsafe (0..<max(0, OPENSSL_sk_num(subtrees))).compactMap { index in
      guard let subtree = unsafe OPENSSL_sk_value(subtrees, index) else { return nil }
      return unsafe GeneralName(subtree.assumingMemoryBound(to: GENERAL_SUBTREE.self).pointee.base)
    }
  }
}

private func freeNameConstraints(_ object: OpaquePointer?) { unsafe NAME_CONSTRAINTS_free(.init(object)) }
