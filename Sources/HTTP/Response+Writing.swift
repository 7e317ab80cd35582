extension Response {
  /// The interim answer to `Expect: 100-continue` (RFC 9110 §15.2.1).
  public static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// Appends the answer to `request` as it goes over the wire (RFC 9112 §4).
  ///
  /// - Parameters:
  ///   - request: nil when what came was no request; then the connection closes.
  ///   - date: the time of the answer; the caller makes a new one each second.
  ///   - closes: whether the connection ends after it for a reason of the server's own.
  /// - Returns: whether the connection stays open.
  @discardableResult
  public func write(
    to buffer: inout [UInt8], answering request: Request?, at date: HTTPDate, closes: Bool = false
  ) -> Bool {
    let stays = !closes && !self.closes && (request?.keepsAlive ?? false)
    let hasBody = status >= 200 && status != 204 && status != 304
    buffer.reserveCapacity(buffer.count + 256 + (hasBody ? body.count : 0))
    buffer.append(contentsOf: "HTTP/1.1 ".utf8)
    buffer.append(decimal: status)
    buffer.append(contentsOf: Response.reasonPhrase(status).utf8)
    buffer.append(contentsOf: "\r\nDate: ".utf8)
    buffer.append(contentsOf: date.bytes)
    for header in headers { buffer.append(header) }
    if hasBody {
      buffer.append(contentsOf: "\r\nContent-Length: ".utf8)
      buffer.append(decimal: body.count)
    }
    if !stays {
      buffer.append(contentsOf: "\r\nConnection: close".utf8)
    } else if request?.version == .http10 {
      buffer.append(contentsOf: "\r\nConnection: keep-alive".utf8)
    }
    buffer.append(contentsOf: "\r\n\r\n".utf8)
    if hasBody && request?.method != .head { buffer.append(contentsOf: body) }
    return stays
  }

  /// The words after the code, with the space before them; programs ignore them, people read them.
  static func reasonPhrase(_ status: Int) -> String {
    switch status {
    case 200: " OK"
    case 201: " Created"
    case 202: " Accepted"
    case 204: " No Content"
    case 304: " Not Modified"
    case 308: " Permanent Redirect"
    case 400: " Bad Request"
    case 401: " Unauthorized"
    case 402: " Payment Required"
    case 403: " Forbidden"
    case 404: " Not Found"
    case 405: " Method Not Allowed"
    case 406: " Not Acceptable"
    case 408: " Request Timeout"
    case 409: " Conflict"
    case 410: " Gone"
    case 412: " Precondition Failed"
    case 413: " Content Too Large"
    case 414: " URI Too Long"
    case 415: " Unsupported Media Type"
    case 417: " Expectation Failed"
    case 421: " Misdirected Request"
    case 422: " Unprocessable Content"
    case 428: " Precondition Required"
    case 429: " Too Many Requests"
    case 431: " Request Header Fields Too Large"
    case 500: " Internal Server Error"
    case 501: " Not Implemented"
    case 503: " Service Unavailable"
    case 505: " HTTP Version Not Supported"
    default: " "
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(decimal number: Int) {
    if number >= 10 { append(decimal: number / 10) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  fileprivate mutating func append(_ field: HeaderField) {
    append(contentsOf: "\r\n".utf8)
    append(contentsOf: field.name.description.utf8)
    append(contentsOf: ": ".utf8)
    let start = count
    append(contentsOf: field.value.utf8)
    // Obs-text stays; a control byte could end the field (RFC 9110 §5.5).
    if !span.extracting(start...).isFieldContent {
      removeLast(count - start)
      append(contentsOf: field.value.utf8.filter(\.isFieldContent))
    }
  }
}

extension Span<UInt8> {
  /// Without a branch per byte, so that it becomes vector code.
  fileprivate var isFieldContent: Bool {
    var isSound = true
    for index in indices { isSound = self[index].isFieldContent && isSound }
    return isSound
  }
}
