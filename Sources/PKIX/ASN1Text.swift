internal import COpenSSL

/// Copies out of OpenSSL's ASN.1 values.
enum ASN1Text {
  /// The exact contents of a string, an integer's magnitude, a bit string's bits.
  static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
    // SAFETY: a string's data holds `length` bytes and is copied at once.
    guard let string = unsafe string, let data = unsafe string.pointee.data, unsafe string.pointee.length > 0
    else { return [] }
    return unsafe [UInt8](UnsafeBufferPointer(start: data, count: Int(string.pointee.length)))
  }

  /// The contents converted to UTF-8; nil when the string is no valid text of its type.
  static func utf8(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8]? {
    var text: UnsafeMutablePointer<UInt8>?
    // SAFETY: OpenSSL allocates `text` with `length` bytes; it is copied and freed here.
    let length = unsafe ASN1_STRING_to_UTF8(&text, string)
    guard length >= 0, let text = unsafe text else {
      ERR_clear_error()
      return nil
    }
    defer { unsafe CRYPTO_free(text, #file, #line) }
    return unsafe [UInt8](UnsafeBufferPointer(start: text, count: Int(length)))
  }

  /// An object identifier in dotted decimal.
  static func dotted(_ object: OpaquePointer?) -> String {
    var text = [CChar](repeating: 0, count: 256)
    // SAFETY: OBJ_obj2txt writes at most the array's length, with a terminator.
    let length = unsafe OBJ_obj2txt(&text, Int32(text.count), object, 1)
    guard length > 0, length < text.count else { return "" }
    return String(decoding: text.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
