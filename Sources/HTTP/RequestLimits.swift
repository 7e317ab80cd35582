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

  /// Where a longer body is awaited than elsewhere; it must say its length.
  public var longBodies: [LongBody] = []

  /// One kind of request that may have a long body, by its method and the end of its path.
  public struct LongBody: Sendable, Hashable {
    public let method: Method
    public let pathEnd: String
    public let bytes: Int

    public init(_ method: Method, pathEnd: String, bytes: Int) {
      self.method = method
      self.pathEnd = pathEnd
      self.bytes = bytes
    }
  }

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
