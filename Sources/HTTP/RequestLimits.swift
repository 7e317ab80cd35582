/// How much of a request a listener reads before it refuses it, in bytes.
public struct RequestLimits: Sendable, Hashable {
  /// The request line without its CR LF; more is 414.
  public var requestLine: Int
  /// The number of header fields, and of trailer fields; more is 431.
  public var fieldCount: Int
  /// All header fields with their line ends, and all trailer fields; more is 431.
  public var fieldBytes: Int
  /// The body, after chunks are joined; more is 413.
  public var body: Int

  public init(
    requestLine: Int = 8 << 10, fieldCount: Int = 100, fieldBytes: Int = 16 << 10,
    body: Int = 64 << 10
  ) {
    self.requestLine = requestLine
    self.fieldCount = fieldCount
    self.fieldBytes = fieldBytes
    self.body = body
  }
}
