/// The header fields that decide where a request ends, whom it is for, and what becomes of the connection; and whether
/// there is one that must be forgotten with it.
///
/// Whatever two readers could take in two ways is refused (RFC 9112 §6.3, §11.2), even where a MAY would let it pass.
struct FramingFields {
  private var host: ByteRange?
  private var length: Int?
  private var isChunked = false
  private var closes = false
  private var asksToStay = false
  private var expectsContinue = false
  private var isSecret = false

  mutating func read(
    _ bytes: Span<UInt8>, _ name: ByteRange, _ value: ByteRange
  ) throws(RequestFailure) {
    switch name.end - name.start {
    case 4 where bytes.matches("host", in: name):
      guard host == nil else { throw .malformed("There must be only one Host header.") }
      guard bytes.isAuthority(value) else {
        throw .malformed("The Host header must be a host, with or without a port.")
      }
      host = value
    case 6 where bytes.matches("expect", in: name):
      guard bytes.matches("100-continue", in: value) else {
        throw RequestFailure(.expectationFailed, "The only expectation known here is 100-continue.")
      }
      expectsContinue = true
    case 10 where bytes.matches("connection", in: name):
      var next = value.start
      while next < value.end {
        let option: ByteRange
        (option, next) = bytes.element(from: next, to: value.end)
        closes = closes || bytes.matches("close", in: option)
        asksToStay = asksToStay || bytes.matches("keep-alive", in: option)
      }
    case 13 where bytes.matches("authorization", in: name):
      isSecret = true
    case 14 where bytes.matches("content-length", in: name):
      guard length == nil else { throw .malformed("There must be only one Content-Length header.") }
      length = try FramingFields.length(bytes, value)
    case 17 where bytes.matches("transfer-encoding", in: name):
      guard !isChunked else { throw .malformed("There must be only one Transfer-Encoding header.") }
      try FramingFields.checkCodings(bytes, value)
      isChunked = true
    default:
      break
    }
  }

  /// Puts what the fields say into `head`, when all of them are known.
  func complete(
    _ head: inout RequestHead, _ bytes: Span<UInt8>, limits: RequestLimits
  ) throws(RequestFailure) {
    if isChunked {
      guard length == nil else {
        throw .malformed("Content-Length and Transfer-Encoding exclude each other.")
      }
      guard head.version == .http11 else { throw .malformed("HTTP/1.0 has no Transfer-Encoding.") }
      head.framing = .chunked
    } else if let length, length > 0 {
      if length > limits.body {
        let path = bytes.extracting(head.path.indices)
        let isAwaited = limits.longBodies.contains { long in
          long.method == head.method && length <= long.bytes && path.ends(with: long.pathEnd)
        }
        guard isAwaited else { throw .bodyTooLarge }
        head.isLong = true
      }
      head.framing = .length(length)
    }
    if let host {
      // A target that names its host must name the same one (RFC 9112 §3.2.2 would let it win).
      guard head.authority.isEmpty || bytes.agree(head.authority, host) else {
        throw .malformed("The Host header must be the host of the target.")
      }
      head.authority = host
    } else if head.version == .http11 {
      throw .malformed("There must be a Host header.")
    }
    switch head.version {
    case .http10: head.keepsAlive = asksToStay && !closes
    case .http11: head.keepsAlive = !closes
    }
    head.isSecret = isSecret
    head.expectsContinue = expectsContinue && head.version == .http11 && head.framing != .none
  }

  /// `1*DIGIT` (RFC 9110 §8.6); what does not fit an `Int` is beyond every limit.
  private static func length(_ bytes: Span<UInt8>, _ value: ByteRange) throws(RequestFailure) -> Int {
    guard !value.isEmpty else { throw .malformed("Content-Length must be a number.") }
    var length = 0
    for index in value.indices {
      guard bytes[index].isDigit else { throw .malformed("Content-Length must be a number.") }
      let (tenfold, overflows) = length.multipliedReportingOverflow(by: 10)
      let (sum, carries) = tenfold.addingReportingOverflow(Int(bytes[index] - 0x30))
      length = overflows || carries ? Int.max / 10 : sum
    }
    return length
  }

  /// Only `chunked`, once: another coding before it is unknown here (501), anything else is ambiguous (400).
  private static func checkCodings(_ bytes: Span<UInt8>, _ value: ByteRange) throws(RequestFailure) {
    var next = value.start
    var isChunked = false
    var hasOthers = false
    repeat {
      let coding: ByteRange
      (coding, next) = bytes.element(from: next, to: value.end)
      guard !isChunked, !coding.isEmpty else { throw .codingsMalformed }
      isChunked = bytes.matches("chunked", in: coding)
      hasOthers = hasOthers || !isChunked
    } while next <= value.end
    guard isChunked else { throw .codingsMalformed }
    guard !hasOthers else {
      throw RequestFailure(.notImplemented, "The only transfer coding known here is chunked.")
    }
  }
}

extension Span<UInt8> {
  /// Whether two pieces are the same in any case of their letters.
  fileprivate func agree(_ one: ByteRange, _ other: ByteRange) -> Bool {
    guard one.indices.count == other.indices.count else { return false }
    return zip(one.indices, other.indices).allSatisfy { self[$0].lowercased == self[$1].lowercased }
  }
}

extension RequestFailure {
  fileprivate static let codingsMalformed = malformed("The last transfer coding must be chunked, once.")
}

extension Span<UInt8> {
  fileprivate func ends(with text: String) -> Bool {
    let text = text.utf8
    guard count >= text.count else { return false }
    var index = count - text.count
    for byte in text {
      guard self[index] == byte else { return false }
      index += 1
    }
    return true
  }
}
