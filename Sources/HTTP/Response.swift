/// An answer: a status, header fields and a body that is complete in memory.
///
/// `Content-Length`, `Date` and `Connection` belong to whoever writes it and are never among `headers`.
public struct Response: Sendable {
  public var status: Int
  public var headers: [HeaderField]
  public var body: [UInt8]
  /// Whether the connection ends after this answer, whatever the client asked.
  public var closes: Bool

  public init(_ status: Int, headers: [HeaderField] = [], body: [UInt8] = [], closes: Bool = false) {
    self.status = status
    self.headers = headers
    self.body = body
    self.closes = closes
  }
}
