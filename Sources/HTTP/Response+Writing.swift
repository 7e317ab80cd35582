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
    let length = hasBody ? body.count : nil
    // At once, whatever of it is written below.
    buffer.reserveCapacity(
      buffer.count + headers.reduce(Response.ownHeadBytes) { $0 + $1.byteCount }
        + prepared.lines.count + (length ?? 0))
    if status == 200 {
      buffer.append(contentsOf: date.opening)
    } else {
      buffer.appendOpening(status, date)
    }
    buffer.append(contentsOf: prepared.lines)
    for header in headers { buffer.append(header) }
    let saysKeepAlive = request?.version == .http10
    // What it captures is copied: numbers and truths cost nothing.
    buffer.append(addingCapacity: Response.ownHeadBytes / 2) { output in
      if let length {
        output.append(text: "\r\nContent-Length: ")
        output.append(decimal: length)
      }
      if !stays {
        output.append(text: "\r\nConnection: close")
      } else if saysKeepAlive {
        output.append(text: "\r\nConnection: keep-alive")
      }
      output.append(text: "\r\n\r\n")
    }
    if hasBody && request?.method != .head { buffer.append(contentsOf: body) }
    return stays
  }

  /// More than a head takes without its `headers`.
  private static var ownHeadBytes: Int { 256 }

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

extension HeaderField {
  /// What it takes on the wire at most.
  var byteCount: Int { name.description.utf8.count + value.utf8.count + 4 }
}

extension [UInt8] {
  /// The status line and the date.
  fileprivate mutating func appendOpening(_ status: Int, _ date: HTTPDate) {
    append(addingCapacity: 128) { output in
      output.append(text: "HTTP/1.1 ")
      output.append(decimal: status)
      output.append(text: Response.reasonPhrase(status))
      output.append(text: "\r\nDate: ")
      for byte in date.bytes { output.append(byte) }
    }
  }

  fileprivate mutating func append(_ field: HeaderField) {
    append(addingCapacity: field.byteCount) { output in output.append(field) }
  }
}

extension OutputSpan<UInt8> {
  fileprivate mutating func append(text: String) {
    let bytes = text.utf8.span
    for index in bytes.indices { append(bytes[index]) }
  }

  fileprivate mutating func append(decimal number: Int) {
    if number >= 10 { append(decimal: number / 10) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  mutating func append(_ field: HeaderField) {
    append(text: "\r\n")
    append(text: field.name.description)
    append(text: ": ")
    let value = field.value.utf8.span
    // Obs-text stays; a control byte could end the field (RFC 9110 §5.5).
    for index in value.indices where value[index].isFieldContent { append(value[index]) }
  }
}
