/// The name of a header field, written in the source and never made from outside data.
///
/// Names are compared without regard to case (RFC 9110 §5.1).
public struct FieldName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name in lower case.
  public let description: String

  public init(stringLiteral name: StaticString) {
    description = name.description.lowercased()
    precondition(description.utf8.allSatisfy(ByteSet.token.contains), "a field name is a token")
  }
}

extension FieldName {
  public static let accept: FieldName = "accept"
  public static let allow: FieldName = "allow"
  public static let authorization: FieldName = "authorization"
  public static let cacheControl: FieldName = "cache-control"
  public static let connection: FieldName = "connection"
  public static let contentLength: FieldName = "content-length"
  public static let contentType: FieldName = "content-type"
  public static let etag: FieldName = "etag"
  public static let expect: FieldName = "expect"
  public static let host: FieldName = "host"
  public static let idempotencyKey: FieldName = "idempotency-key"
  public static let ifMatch: FieldName = "if-match"
  public static let ifNoneMatch: FieldName = "if-none-match"
  public static let location: FieldName = "location"
  public static let retryAfter: FieldName = "retry-after"
  public static let transferEncoding: FieldName = "transfer-encoding"
  public static let userAgent: FieldName = "user-agent"
  public static let wwwAuthenticate: FieldName = "www-authenticate"
}
