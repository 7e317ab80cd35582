/// The name of a header field, written in the source and never made from outside data.
///
/// Names are compared without regard to case (RFC 9110 §5.1) and sent as they are written.
public struct FieldName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let description: String
  let lowercase: String

  public init(stringLiteral name: StaticString) {
    description = name.description
    lowercase = description.lowercased()
    precondition(description.utf8.allSatisfy(ByteSet.token.contains), "a field name is a token")
  }

  public static func == (one: FieldName, other: FieldName) -> Bool { one.lowercase == other.lowercase }

  public func hash(into hasher: inout Hasher) { hasher.combine(lowercase) }
}

extension FieldName {
  public static let accept: FieldName = "Accept"
  public static let allow: FieldName = "Allow"
  public static let authorization: FieldName = "Authorization"
  public static let cacheControl: FieldName = "Cache-Control"
  public static let connection: FieldName = "Connection"
  public static let contentLength: FieldName = "Content-Length"
  public static let contentType: FieldName = "Content-Type"
  public static let etag: FieldName = "ETag"
  public static let expect: FieldName = "Expect"
  public static let expires: FieldName = "Expires"
  public static let host: FieldName = "Host"
  public static let idempotencyKey: FieldName = "Idempotency-Key"
  public static let ifMatch: FieldName = "If-Match"
  public static let ifNoneMatch: FieldName = "If-None-Match"
  public static let lastModified: FieldName = "Last-Modified"
  public static let location: FieldName = "Location"
  public static let retryAfter: FieldName = "Retry-After"
  public static let transferEncoding: FieldName = "Transfer-Encoding"
  public static let userAgent: FieldName = "User-Agent"
  public static let wwwAuthenticate: FieldName = "WWW-Authenticate"
}
