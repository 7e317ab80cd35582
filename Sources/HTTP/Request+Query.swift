extension Request {
  /// Whether there is a query, be it empty of parameters.
  public var hasQuery: Bool { !head.query.isEmpty }

  /// The parameters of the query in their order, decoded as forms are: `+` is a space.
  public var query: [(name: String, value: String)] {
    let all = self.bytes
    let bytes = all.span
    var parameters: [(name: String, value: String)] = []
    var start = head.query.start
    while start < head.query.end {
      var end = start
      while end < head.query.end, bytes[end] != UInt8(ascii: "&") { end += 1 }
      var equals = start
      while equals < end, bytes[equals] != UInt8(ascii: "=") { equals += 1 }
      if end > start {
        parameters.append((decoded(start, equals), decoded(min(equals + 1, end), end)))
      }
      start = end + 1
    }
    return parameters
  }

  private func decoded(_ start: Int, _ end: Int) -> String {
    let bytes = [UInt8](percentDecoding: self.bytes.span, ByteRange(start, end), plusIsSpace: true)
    return String(decoding: bytes, as: UTF8.self)
  }
}
