extension RequestHead {
  /// Reads `method SP target SP version` (RFC 9112 §3): one space each, nothing repaired.
  mutating func readRequestLine(_ bytes: Span<UInt8>, _ line: ByteRange) throws(RequestFailure) {
    var position = line.start
    while position < line.end, ByteSet.token.contains(bytes[position]) { position += 1 }
    guard position > line.start, position < line.end, bytes[position] == UInt8(ascii: " ") else {
      throw .malformed("The request line must begin with a method and one space.")
    }
    let method = bytes.extracting(line.start..<position)
    let target = position + 1
    position = target
    while position < line.end, bytes[position] != UInt8(ascii: " ") { position += 1 }
    guard position < line.end else {
      throw .malformed("The request line must be method, target and version.")
    }
    try readVersion(bytes, ByteRange(position + 1, line.end))
    guard !method.equals("CONNECT") else {
      throw RequestFailure(.notImplemented, "This server makes no tunnels.")
    }
    self.method = Method(method)
    try readTarget(bytes, ByteRange(target, position))
  }

  private mutating func readVersion(_ bytes: Span<UInt8>, _ range: ByteRange) throws(RequestFailure) {
    let version = bytes.extracting(range.indices)
    if version.equals("HTTP/1.1") {
      self.version = .http11
    } else if version.equals("HTTP/1.0") {
      self.version = .http10
      keepsAlive = false
    } else if version.count == 8, version.extracting(first: 5).equals("HTTP/"), version[5].isDigit,
      version[6] == UInt8(ascii: "."), version[7].isDigit
    {
      throw RequestFailure(.versionNotSupported, "This server speaks HTTP/1.1.")
    } else {
      throw .malformed("The request line must end with HTTP/1.1.")
    }
  }

  /// Reads the target in origin form, absolute form, or `*` for OPTIONS (RFC 9112 §3.2).
  private mutating func readTarget(_ bytes: Span<UInt8>, _ target: ByteRange) throws(RequestFailure) {
    var start = target.start
    if !target.isEmpty, bytes[start] == UInt8(ascii: "*") {
      guard method == .options, target.end == start + 1 else {
        throw .malformed("The target * is for OPTIONS alone.")
      }
      path = target
      return
    }
    if !target.isEmpty, bytes[start] != UInt8(ascii: "/") {
      start = try readAuthority(bytes, target)
    }
    var position = start
    var hasEscapes = false
    try bytes.skip(.path, &position, target.end, &hasEscapes)
    path = ByteRange(start, position)
    if position < target.end, bytes[position] == UInt8(ascii: "?") {
      position += 1
      let queryStart = position
      try bytes.skip(.query, &position, target.end, &hasEscapes)
      query = ByteRange(queryStart, position)
    }
    guard position == target.end, position > target.start else {
      throw .malformed("The target must be a path, with what RFC 3986 forbids percent-encoded.")
    }
    // Checked once here, so that every string made of a piece of the target is what the client meant.
    if hasEscapes, !bytes.decodesToText(ByteRange(start, target.end)) {
      throw .malformed("The percent-encoded bytes of the target must be UTF-8 without NUL.")
    }
  }

  /// Reads `http://host:port` before an absolute path, and says where the path begins.
  private mutating func readAuthority(
    _ bytes: Span<UInt8>, _ target: ByteRange
  ) throws(RequestFailure) -> Int {
    for scheme in ["http://", "https://"] {
      let start = target.start + scheme.utf8.count
      guard start < target.end, bytes.matches(scheme, in: ByteRange(target.start, start)) else { continue }
      var end = start
      while end < target.end, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") { end += 1 }
      authority = ByteRange(start, end)
      guard bytes.isAuthority(authority) else { break }
      return end
    }
    throw .malformed("The target must begin with / or be an http URL.")
  }
}

extension Span<UInt8> {
  /// Moves `position` over characters of `set` and escapes.
  fileprivate func skip(
    _ set: ByteSet, _ position: inout Int, _ end: Int, _ hasEscapes: inout Bool
  ) throws(RequestFailure) {
    while position < end {
      if set.contains(self[position]) {
        position += 1
      } else if self[position] == UInt8(ascii: "%") {
        guard position + 2 < end, self[position + 1].hexDigit != nil, self[position + 2].hexDigit != nil
        else { throw .malformed("A % in the target must begin an escape of two hex digits.") }
        hasEscapes = true
        position += 3
      } else {
        return
      }
    }
  }

  fileprivate func decodesToText(_ range: ByteRange) -> Bool {
    let decoded = [UInt8](percentDecoding: self, range)
    return !decoded.contains(0) && String(validating: decoded, as: UTF8.self) != nil
  }

  /// Whether `range` is a host name, IPv4 address or bracketed IPv6 address, with or without a port (RFC 3986 §3.2).
  func isAuthority(_ range: ByteRange) -> Bool {
    var position = range.start
    if position < range.end, self[position] == UInt8(ascii: "[") {
      position += 1
      while position < range.end, ByteSet.ipv6.contains(self[position]) { position += 1 }
      guard position > range.start + 1, position < range.end, self[position] == UInt8(ascii: "]") else {
        return false
      }
      position += 1
    } else {
      while position < range.end, ByteSet.hostName.contains(self[position]) { position += 1 }
      guard position > range.start else { return false }
    }
    if position == range.end { return true }
    guard self[position] == UInt8(ascii: ":"), (2...6).contains(range.end - position) else { return false }
    var port = 0
    for index in position + 1..<range.end {
      guard self[index].isDigit else { return false }
      port = port * 10 + Int(self[index] - 0x30)
    }
    return port <= 65_535
  }
}

extension [UInt8] {
  /// The bytes of `range` with each escape replaced by the byte it stands for; the escapes are known to be sound.
  init(percentDecoding span: Span<UInt8>, _ range: ByteRange, plusIsSpace: Bool = false) {
    self.init()
    reserveCapacity(range.indices.count)
    var position = range.start
    while position < range.end {
      let byte = span[position]
      if byte == UInt8(ascii: "%"), position + 2 < range.end,
        let high = span[position + 1].hexDigit, let low = span[position + 2].hexDigit
      {
        append(high << 4 | low)
        position += 3
      } else {
        append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        position += 1
      }
    }
  }
}
