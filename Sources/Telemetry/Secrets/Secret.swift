/// Bytes that must not be seen: printing, interpolating, dumping or logging them shows `<redacted>`.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let bytes: [UInt8]

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The secret itself, for the one place that needs it.
  public func revealed() -> [UInt8] { bytes }

  /// The secret as text, without the line end that editors leave at the end of a file; nil if it is not UTF-8.
  public func revealedText() -> String? {
    let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") } ?? -1
    return String(validating: bytes[...end], as: UTF8.self)
  }

  public var description: String { "<redacted>" }
  public var debugDescription: String { "<redacted>" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
