internal import JSON

/// Members that an answer must have; those that this version does not know are ignored, so that servers can be newer.
extension JSONValue {
  func text(_ name: String) -> String? {
    if case .string(let text) = self[name] { text } else { nil }
  }

  func string(_ name: String) throws(ClientError) -> String {
    guard let text = text(name) else { throw .unreadable("“\(name)” is no text") }
    return text
  }

  func integer(_ name: String) throws(ClientError) -> Int64 {
    guard case .integer(let number) = self[name] else { throw .unreadable("“\(name)” is no whole number") }
    return number
  }

  func boolean(_ name: String) throws(ClientError) -> Bool {
    guard case .boolean(let flag) = self[name] else {
      throw .unreadable("“\(name)” is neither true nor false")
    }
    return flag
  }

  /// Seconds since 1970.
  func time(_ name: String) throws(ClientError) -> Int64 {
    guard let time = text(name).flatMap({ Timestamp($0) }) else { throw .unreadable("“\(name)” is no time") }
    return time.microsecondsSince1970 / 1_000_000
  }
}

extension ClientError {
  /// An answer that is not what it should be says neither yes nor no.
  static func unreadable(_ reason: String) -> ClientError {
    .cannotTell(reason: "the server's answer cannot be read: \(reason)", retryAfter: nil)
  }
}
