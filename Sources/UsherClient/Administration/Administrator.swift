package import JSON

/// Someone who calls the admin API, with a token or, to get one, without; over one connection that is kept.
package struct Administrator: Sendable {
  package enum Method: String, Sendable, Hashable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  /// A request's body and what it is.
  package struct Content: Sendable, Hashable {
    package let mediaType: String
    package let bytes: [UInt8]

    package init(_ mediaType: String, _ bytes: [UInt8]) { (self.mediaType, self.bytes) = (mediaType, bytes) }

    package init(json value: JSONValue) {
      var writer = JSONWriter()
      writer.value(value)
      self.init("application/json", writer.bytes)
    }
  }

  /// Exports and long pages are larger than what a device reads.
  private static let bodyLimit = 64 * 1024 * 1024

  private let client: Client
  private let fields: [(name: String, value: String)]

  /// - Parameters:
  ///   - server: `https://host[:port]` of the admin listener.
  ///   - authorityPEM: the certificates of the authorities that the server's certificate may lead to.
  ///   - token: an API token; it stands in no error. Nil for the calls that need none.
  package init(
    server: String, authorityPEM: [UInt8], token: String?, timeout: Duration = .seconds(30)
  ) throws(ClientError) {
    if let token {
      guard !token.isEmpty, token.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
        throw .unusable("the token is empty or holds characters that no token has")
      }
    }
    client = try Client(
      server: server, authorityPEM: authorityPEM, timeout: timeout, bodyLimit: Self.bodyLimit)
    fields = token.map { [("Authorization", "Bearer \($0)")] } ?? []
  }

  /// Makes one call; `path` is escaped already.
  ///
  /// - Throws: `ClientError.refused` with the problem for whatever is no success.
  package func send(
    _ method: Method, _ path: String, _ content: Content? = nil,
    fields further: [(name: String, value: String)] = []
  ) async throws(ClientError) -> Answer {
    var request = OutgoingRequest(
      method: OutgoingRequest.Method(method), path: path, fields: fields + further)
    if let content {
      request.fields.append(("Content-Type", content.mediaType))
      request.body = content.bytes
    }
    return try await client.perform(request)
  }

  /// Makes one call with a JSON body. The answer's document, or null where there is none.
  @discardableResult
  package func call(
    _ method: Method, _ path: String, _ body: JSONValue? = nil, fields: [(name: String, value: String)] = []
  ) async throws(ClientError) -> JSONValue {
    let answer = try await send(method, path, body.map(Content.init(json:)), fields: fields)
    return answer.body.isEmpty ? .null : try answer.document()
  }

  /// One segment of a path, escaped (RFC 3986 section 2.3).
  package static func segment(_ text: String) -> String { OutgoingRequest.segment(text) }
}

extension OutgoingRequest.Method {
  fileprivate init(_ method: Administrator.Method) {
    switch method {
    case .get: self = .get
    case .post: self = .post
    case .put: self = .put
    case .patch: self = .patch
    case .delete: self = .delete
    }
  }
}
