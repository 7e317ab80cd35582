extension Request {
  /// The value of a header field; several fields of one name are one list (RFC 9110 §5.3).
  public func header(_ name: FieldName) -> String? {
    var value: String?
    var position = head.fields
    while let field = nextField(&position) {
      guard bytes.span.matches(name.lowercase, in: field.name) else { continue }
      let part = text(field.value)
      value = value.map { "\($0), \(part)" } ?? part
    }
    return value
  }

  /// The `Content-Type` without parameters, in small letters (RFC 9110 §8.3).
  public var mediaType: String? {
    header(.contentType).map { value in
      value.prefix { $0 != ";" }.trimmingBlanks.lowercased()
    }
  }

  /// The token of `Authorization: Bearer …` (RFC 6750 §2.1).
  public var bearerToken: String? {
    guard let value = header(.authorization), let space = value.firstIndex(of: " "),
      value[..<space].lowercased() == "bearer"
    else { return nil }
    let token = value[space...].trimmingBlanks
    return token.isEmpty || token.contains(" ") ? nil : String(token)
  }

  /// Whether `Accept` names this media type itself; `*/*` names none (RFC 9110 §12.5.1).
  public func accepts(_ mediaType: String) -> Bool {
    guard let value = header(.accept) else { return false }
    return value.split(separator: ",").contains { range in
      let parts = range.split(separator: ";").map(\.trimmingBlanks)
      return parts.first?.lowercased() == mediaType
        && !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0.lowercased()) }
    }
  }

  /// The field line at `position`, and then the one after it.
  private func nextField(_ position: inout Int) -> (name: ByteRange, value: ByteRange)? {
    let head = self.bytes
    let bytes = head.span
    let start = position
    guard bytes[start] != .carriageReturn else { return nil }
    while bytes[position] != UInt8(ascii: ":") { position += 1 }
    let colon = position
    while bytes[position] != .carriageReturn { position += 1 }
    let value = bytes.trimmed(ByteRange(colon + 1, position))
    position += 2
    return (ByteRange(start, colon), value)
  }
}

extension Substring {
  fileprivate var trimmingBlanks: Substring {
    var trimmed = drop { $0 == " " || $0 == "\t" }
    while let last = trimmed.last, last == " " || last == "\t" { trimmed.removeLast() }
    return trimmed
  }
}
