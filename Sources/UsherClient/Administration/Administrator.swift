package import JSON

/// Someone with a token of the admin API, over one connection that is kept.
package struct Administrator: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  private let client: Client
  private let authorization: String

  /// - Parameters:
  ///   - server: `https://host[:port]` of the admin listener.
  ///   - authorityPEM: the certificates of the authorities that the server's certificate may lead to.
  ///   - token: an API token; it stands in no error.
  package init(
    server: String, authorityPEM: [UInt8], token: String, timeout: Duration = .seconds(30)
  ) throws(ClientError) {
    guard !token.isEmpty, token.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
      throw .unusable("the token is empty or holds characters that no token has")
    }
    client = try Client(server: server, authorityPEM: authorityPEM, timeout: timeout)
    authorization = "Bearer \(token)"
  }

  /// Makes one call; `path` is escaped already. The answer's document, or null where there is none.
  ///
  /// - Throws: `ClientError.refused` with the problem for whatever is no success.
  @discardableResult
  package func call(
    _ method: Method, _ path: String, _ body: JSONValue? = nil, fields: [(name: String, value: String)] = []
  ) async throws(ClientError) -> JSONValue {
    var request = OutgoingRequest(
      method: OutgoingRequest.Method(method), path: path, fields: [("Authorization", authorization)] + fields)
    if let body {
      var writer = JSONWriter()
      writer.value(body)
      request.fields.append(("Content-Type", "application/json"))
      request.body = writer.bytes
    }
    let answer = try await client.perform(request)
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
