internal import COpenSSL

/// The one way into libcrypto: clear the thread's error queue, call, and turn a failure into a drained error.
///
/// A stale entry in the queue would be blamed on the next call (for `SSL_read` it even ends a healthy
/// connection), so nothing here returns with entries left.
public enum OpenSSLCall {
  /// Calls a function that returns an object or NULL.
  public static func object<Object>(
    _ operation: StaticString, _ call: () -> Object?
  ) throws(OpenSSLError) -> Object {
    ERR_clear_error()
    guard let object = call() else { throw drain(operation) }
    return object
  }

  /// Calls a function that returns a positive number for success and zero or less for failure.
  @discardableResult
  public static func positive<Number: BinaryInteger>(
    _ operation: StaticString, _ call: () -> Number
  ) throws(OpenSSLError) -> Number {
    ERR_clear_error()
    let result = call()
    guard result > 0 else { throw drain(operation) }
    return result
  }

  /// Calls a function whose failure is an ordinary answer, and leaves the queue empty.
  public static func quietly<Result>(_ call: () -> Result) -> Result {
    defer { ERR_clear_error() }
    return call()
  }

  /// Empties the thread's error queue into an error.
  public static func drain(_ operation: StaticString) -> OpenSSLError {
    var entries: [OpenSSLError.Entry] = []
    var data: UnsafePointer<CChar>?
    var flags: Int32 = 0
    while true {
      // SAFETY: the out pointers live for the call; `data` belongs to the queue and is copied before the next call.
      let code = unsafe ERR_get_error_all(nil, nil, nil, &data, &flags)
      if code == 0 { break }
      var reason = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "error \(code)"
      if flags & ERR_TXT_STRING != 0, let detail = unsafe data.map({ unsafe String(cString: $0) }),
        !detail.isEmpty
      {
        reason += " (\(detail))"
      }
      entries.append(OpenSSLError.Entry(code: UInt(code), reason: reason))
    }
    return OpenSSLError(operation: "\(operation)", entries: entries)
  }
}
