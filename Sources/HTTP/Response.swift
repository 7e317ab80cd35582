/// An answer: a status, header fields and a body that is complete in memory.
///
/// `Content-Length`, `Date` and `Connection` belong to whoever writes it and are never among `headers`.
public struct Response: Sendable {
  public var status: Int
  /// Stand before `headers`.
  public var prepared: PreparedHeaders
  public var headers: [HeaderField]
  public var body: [UInt8]
  /// Whether the connection ends after this answer, whatever the client asked.
  public var closes: Bool

  public init(
    _ status: Int, prepared: PreparedHeaders = .none, headers: [HeaderField] = [], body: [UInt8] = [],
    closes: Bool = false
  ) {
    self.status = status
    self.prepared = prepared
    self.headers = headers
    self.body = body
    self.closes = closes
  }

  /// Whether it says itself who may keep it (RFC 9111 §5.2).
  public var isCacheControlled: Bool {
    prepared.areCacheControlled || headers.contains { $0.name == .cacheControl }
  }

  /// The value of the first header field of this name.
  public func value(of name: FieldName) -> String? {
    (prepared.fields.first { $0.name == name } ?? headers.first { $0.name == name })?.value
  }
}
