internal import Cryptography

/// Finds the DER of a PKCS#10 request in what people send: PEM, DER, or base64 of DER.
///
/// Exactly one request, with nothing after it: a second object or trailing bytes mean that sender and server could
/// disagree about what was signed.
enum RequestEncoding {
  /// The longest body that is looked at, in bytes.
  static let limit = 64 * 1024
  /// The longest text before BEGIN (`openssl req -text` writes the request in words there), in bytes.
  private static let preambleLimit = 4 * 1024

  static func der(in body: [UInt8]) throws(RequestError) -> [UInt8] {
    guard body.count <= limit else {
      throw .unreadable("the request is longer than \(limit) bytes")
    }
    if body.starts(with: [0xff, 0xfe]) || body.starts(with: [0xfe, 0xff]) { throw utf16 }
    // A request is longer than 127 bytes, so that its length takes the long form and never looks like text.
    if body.count > 1, body[0] == 0x30, body[1] >= 0x80 { return body }
    let text = body.starts(with: [0xef, 0xbb, 0xbf]) ? body.dropFirst(3) : body[...]
    guard let first = text.first(where: { !isBlank($0) }) else { throw .unreadable("the request is empty") }
    if text.contains(0) {
      throw first == 0 || text.dropFirst().first == 0 ? utf16 : .unreadable("the request holds a NUL byte")
    }
    guard let begin = text.firstRange(of: Array("-----BEGIN ".utf8)) else { return try base64(text) }
    guard begin.lowerBound - text.startIndex <= preambleLimit else {
      throw .unreadable("more than \(preambleLimit) bytes stand before the BEGIN line")
    }
    return try pem(Array(text[begin.lowerBound...]))
  }

  private static let utf16 = RequestError.unreadable(
    "the request is UTF-16 text; save it as ASCII or UTF-8 and send it again")

  private static func base64(_ text: ArraySlice<UInt8>) throws(RequestError) -> [UInt8] {
    guard let der = Base64.decode(text.filter { !isBlank($0) }) else {
      throw .unreadable("the request is neither PEM nor DER nor base64")
    }
    return der
  }

  private static func pem(_ text: [UInt8]) throws(RequestError) -> [UInt8] {
    let blocks: [PEM.Block]
    do { blocks = try PEM.blocks(in: text) } catch { throw .unreadable("not PEM: \(error)") }
    guard blocks.count == 1 else {
      throw .unreadable("there is more than one PEM block; send the request alone")
    }
    let label = blocks[0].label
    guard label == "CERTIFICATE REQUEST" || label == "NEW CERTIFICATE REQUEST" else {
      throw label.hasSuffix("PRIVATE KEY")
        ? .unreadable(
          "this is a private key; keep it on the device, make a new one and send a request for it")
        : .unreadable("the PEM block is a “\(label.prefix(40))”, not a CERTIFICATE REQUEST")
    }
    guard let end = text.lastRange(of: Array("-----END \(label)-----".utf8)),
      text[end.upperBound...].allSatisfy(isBlank)
    else { throw .unreadable("something stands after the END line") }
    return blocks[0].bytes
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }
}

extension Collection where Element == UInt8 {
  /// Where `pattern` stands first.
  fileprivate func firstRange(of pattern: [UInt8]) -> Range<Index>? {
    var start = startIndex
    while start != endIndex {
      if self[start...].starts(with: pattern) { return start..<index(start, offsetBy: pattern.count) }
      start = index(after: start)
    }
    return nil
  }
}

extension [UInt8] {
  /// Where `pattern` stands last.
  fileprivate func lastRange(of pattern: [UInt8]) -> Range<Int>? {
    stride(from: count - pattern.count, through: 0, by: -1)
      .first { self[$0...].starts(with: pattern) }
      .map { $0..<$0 + pattern.count }
  }
}
