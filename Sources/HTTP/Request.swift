/// A request whose every byte has been judged.
///
/// It owns one copy of its head; paths, parameters and header values become strings only when asked for.
public struct Request: Sendable {
  /// The body with its transfer coding removed.
  public internal(set) var body: [UInt8] = []
  private let received: ReceivedHead

  init(head: RequestHead, bytes: [UInt8]) { received = ReceivedHead(head, bytes) }

  var head: RequestHead { received.head }
  /// The head as it came, the empty line included.
  var bytes: [UInt8] { received.bytes }

  /// Whether it may be kept for when it comes again: it has no body, holds no secret, and is so short that thousands of
  /// connections may keep one each.
  public var mayBeKept: Bool { head.framing == .none && !head.isSecret && bytes.count <= 1024 }

  /// Whether it is an earlier request that was kept and came again, to the last byte.
  public func repeats(_ earlier: Request) -> Bool { received === earlier.received }

  /// Makes a request as it would have come over the wire, for clients and tests.
  ///
  /// - Parameters:
  ///   - method: its name, such as `GET`.
  ///   - target: path and query, percent-encoded.
  ///   - headers: all but `Host` (unless it is not `localhost`) and `Content-Length`.
  public init(
    _ method: String, _ target: String, headers: [HeaderField] = [], body: [UInt8] = []
  ) throws(RequestFailure) {
    guard "\(method)\(target)".utf8.allSatisfy({ $0 > 0x20 }),
      headers.allSatisfy({ $0.value.utf8.allSatisfy(\.isFieldContent) })
    else { throw .malformed("Method, target and header values must hold no line ends.") }
    var text = "\(method) \(target) HTTP/1.1\r\n"
    if !headers.contains(where: { $0.name == .host }) { text += "Host: localhost\r\n" }
    if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
    for header in headers { text += "\(header.name): \(header.value)\r\n" }
    text += "\r\n"
    let bytes = Array(text.utf8)
    var scanner = HeadScanner()
    let limits = RequestLimits(
      requestLine: bytes.count, fieldCount: headers.count + 2, fieldBytes: bytes.count, body: body.count)
    guard try scanner.scan(bytes.span, limits: limits), scanner.position == bytes.count else {
      throw .malformed("The head must be one head.")
    }
    self.init(head: scanner.head, bytes: bytes)
    self.body = body
  }

  public var method: Method { head.method }
  public var version: Version { head.version }
  /// Whether the client would use the connection again (RFC 9112 §9.3).
  public var keepsAlive: Bool { head.keepsAlive }

  /// The path as it came, still percent-encoded.
  public var path: String { text(head.path) }

  /// The host that the request is for, in small letters and without its port; nil only in HTTP/1.0.
  public var host: String? {
    guard !head.authority.isEmpty else { return nil }
    let authority = text(head.authority).lowercased()
    guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else { return authority }
    return String(authority[..<colon])
  }

  /// Whether the request is for `host`, the bytes of a name in small letters without a port; makes no string. A request
  /// that names no host (HTTP/1.0) is for any.
  public func isFor(host: [UInt8]) -> Bool {
    let authority = head.authority
    guard !authority.isEmpty else { return true }
    guard authority.end - authority.start >= host.count else { return false }
    for index in host.indices where bytes[authority.start + index].lowercased != host[index] { return false }
    let end = authority.start + host.count
    return end == authority.end || bytes[end] == UInt8(ascii: ":")
  }

  /// Appends the request as it goes over the wire.
  public func write(to buffer: inout [UInt8]) {
    buffer.append(contentsOf: bytes)
    buffer.append(contentsOf: body)
  }

  func text(_ range: ByteRange) -> String { String(decoding: bytes[range.indices], as: UTF8.self) }
}
