/// A request before it is written.
struct OutgoingRequest: Sendable {
  enum Method: String, Sendable {
    case get = "GET"
    case put = "PUT"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  let method: Method
  /// The path, escaped.
  let path: String
  /// Further fields.
  var fields: [(name: String, value: String)] = []
  var body: [UInt8] = []

  /// Whether it has one effect even if it arrives twice.
  var isRepeatable: Bool { method != .post || fields.contains { $0.name == "Idempotency-Key" } }

  /// The bytes on the wire.
  func bytes(to server: ServerURL) -> [UInt8] {
    var head = "\(method.rawValue) \(path) HTTP/1.1\r\nHost: \(server.authority)\r\n"
    if !fields.contains(where: { $0.name == "Accept" }) { head += "Accept: application/json\r\n" }
    for field in fields { head += "\(field.name): \(field.value)\r\n" }
    if method != .get { head += "Content-Length: \(body.count)\r\n" }
    return Array((head + "\r\n").utf8) + body
  }

  /// One segment of a path, with everything but unreserved characters escaped (RFC 3986 section 2.3).
  static func segment(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case _: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
