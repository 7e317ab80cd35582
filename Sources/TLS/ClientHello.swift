internal import COpenSSL

/// Reads the name that the client asks for before anything else is decided (`SSL_CTX_set_client_hello_cb`), so that a
/// session can be tied to it.
func readClientHello(
  _ ssl: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
  guard let handshake = unsafe Handshake.of(ssl) else { return SSL_CLIENT_HELLO_ERROR }
  var bytes: UnsafePointer<UInt8>?
  var length = 0
  // SAFETY: the extension's bytes are lent for the call.
  guard unsafe SSL_client_hello_get0_ext(ssl, UInt32(TLSEXT_TYPE_server_name), &bytes, &length) == 1 else {
    handshake.serverName = nil
    return SSL_CLIENT_HELLO_SUCCESS
  }
  guard let name = unsafe serverName(in: UnsafeBufferPointer(start: bytes, count: length)) else {
    unsafe alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
    return SSL_CLIENT_HELLO_ERROR
  }
  handshake.serverName = name
  return SSL_CLIENT_HELLO_SUCCESS
}

/// The one host name of a server_name extension (RFC 6066 section 3) in lower case; nil for anything else.
func serverName(in data: some RandomAccessCollection<UInt8>) -> String? {
  let data = Array(data)
  guard data.count > 5, data[2] == 0 else { return nil }
  let list = Int(data[0]) << 8 | Int(data[1])
  let length = Int(data[3]) << 8 | Int(data[4])
  guard list == data.count - 2, length == data.count - 5, length <= 253 else { return nil }
  var name: [UInt8] = []
  for byte in data[5...] {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      name.append(byte)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): name.append(byte | 0x20)
    default: return nil
    }
  }
  return String(decoding: name, as: UTF8.self)
}
