import HTTP

/// The reference of this very interface, for whoever makes clients of it.
enum ReferenceRoute {
  static let all: [Route] = [
    Route(.get, "/v1/openapi.json", on: [.admin, .public], for: .anyone) { _ in
      Response(
        200,
        headers: [
          HeaderField(.contentType, "application/json"), HeaderField(.cacheControl, "public, max-age=300"),
        ], body: document)
    }
  ]

  static let document = OpenAPIDocument.json.withUTF8Buffer { unsafe Array($0) }
}
