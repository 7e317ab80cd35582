/// What OpenSSL said when a call failed: the call's name and the drained error queue, oldest entry first.
///
/// It never holds key material: OpenSSL's queue names functions, reasons and, at most, algorithm names.
public struct OpenSSLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One entry of OpenSSL's error queue.
  public struct Entry: Sendable, Hashable {
    /// The packed code, as `ERR_get_error` returns it.
    public let code: UInt
    /// The reason in words, with OpenSSL's own detail if it gave one.
    public let reason: String

    /// An entry made by hand.
    public init(code: UInt, reason: String) {
      self.code = code
      self.reason = reason
    }
  }

  /// The C function, or the step, that failed.
  public let operation: String
  /// The drained queue; empty when OpenSSL gave no reason.
  public let entries: [Entry]

  /// An error with the entries found.
  public init(operation: String, entries: [Entry] = []) {
    self.operation = operation
    self.entries = entries
  }

  public var description: String {
    let reasons = entries.map(\.reason).joined(separator: "; ")
    return reasons.isEmpty ? "\(operation) failed" : "\(operation): \(reasons)"
  }
}
