internal import COpenSSL
internal import Cryptography

/// Reads the extensions that a request asks for, and refuses those with which it asks for powers of a CA.
///
/// Everything else is ignored and only named. Ignoring these as well would be as safe, but an attack should show.
enum RequestedExtensions {
  static func judge(_ request: OpaquePointer) throws(RequestError) -> [ObjectIdentifier] {
    var names: [ObjectIdentifier] = []
    // SAFETY: attributes and their values are lent by the request, which the caller keeps alive.
    for index in 0..<max(0, unsafe X509_REQ_get_attr_count(request)) {
      let attribute = unsafe X509_REQ_get_attr(request, index)
      let kind = unsafe OBJ_obj2nid(X509_ATTRIBUTE_get0_object(attribute))
      guard kind == NID_ext_req || kind == NID_ms_ext_req else { continue }
      for position in 0..<max(0, unsafe X509_ATTRIBUTE_count(attribute)) {
        guard
          let value = unsafe X509_ATTRIBUTE_get0_type(attribute, position),
          unsafe value.pointee.type == V_ASN1_SEQUENCE
        else { throw malformed }
        names += try unsafe judge(encoded: ASN1Text.bytes(value.pointee.value.sequence))
      }
    }
    return names
  }

  private static let malformed = RequestError.unreadable("the requested extensions cannot be read")

  private static func judge(encoded bytes: [UInt8]) throws(RequestError) -> [ObjectIdentifier] {
    let extensions: OwnedPointer
    do {
      extensions = unsafe try OwnedPointer.make("d2i_X509_EXTENSIONS", release: freeExtensions) {
        unsafe bytes.withUnsafeBufferPointer { buffer in
          // SAFETY: the cursor stays inside the array.
          var cursor = buffer.baseAddress
          return unsafe d2i_X509_EXTENSIONS(nil, &cursor, buffer.count)
        }
      }
    } catch {
      throw malformed
    }
    var names: [ObjectIdentifier] = []
    // SAFETY: the stack lives until the end of this function and lends its members.
    for index in 0..<max(0, unsafe OPENSSL_sk_num(extensions.raw)) {
      let element = unsafe OpaquePointer(OPENSSL_sk_value(extensions.raw, index))
      names.append(unsafe ObjectIdentifier(X509_EXTENSION_get_object(element)))
      if let power = try unsafe power(asked: element) { throw .asksTooMuch(power) }
    }
    return names
  }

  /// What an extension asks for that no device gets, in words.
  private static func power(asked element: OpaquePointer?) throws(RequestError) -> String? {
    let nid = unsafe OBJ_obj2nid(X509_EXTENSION_get_object(element))
    guard [NID_basic_constraints, NID_key_usage, NID_ext_key_usage].contains(nid) else { return nil }
    // SAFETY: the decoded structure is of the type that the NID says, and is freed here.
    guard let decoded = unsafe OpenSSLCall.quietly({ unsafe X509V3_EXT_d2i(element) }) else {
      throw malformed
    }
    switch nid {
    case NID_basic_constraints:
      let constraints = unsafe decoded.assumingMemoryBound(to: BASIC_CONSTRAINTS.self)
      defer { unsafe BASIC_CONSTRAINTS_free(constraints) }
      return unsafe constraints.pointee.ca != 0
        ? "the request asks to be a CA (basicConstraints CA:TRUE)" : nil
    case NID_key_usage:
      let bits = unsafe decoded.assumingMemoryBound(to: ASN1_BIT_STRING.self)
      defer { unsafe ASN1_BIT_STRING_free(bits) }
      let usage = unsafe KeyUsage(bitString: ASN1Text.bytes(bits))
      return usage.contains(.keyCertSign) ? "the request asks to sign certificates (keyCertSign)" : nil
    default:
      let usages = OpaquePointer(decoded)
      defer { unsafe EXTENDED_KEY_USAGE_free(usages) }
      let isAny = unsafe (0..<max(0, OPENSSL_sk_num(usages))).contains {
        unsafe OBJ_obj2nid(OpaquePointer(OPENSSL_sk_value(usages, $0))) == NID_anyExtendedKeyUsage
      }
      return isAny ? "the request asks for every purpose (anyExtendedKeyUsage)" : nil
    }
  }
}

private func freeExtensions(_ stack: OpaquePointer?) {
  unsafe OPENSSL_sk_pop_free(stack) { unsafe X509_EXTENSION_free(OpaquePointer($0)) }
}
