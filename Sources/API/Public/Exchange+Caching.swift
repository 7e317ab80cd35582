import HTTP
import Issuance
import Licensing

extension Exchange {
  /// The response as caches on the way may keep it, or 304 for a client that has it (RFC 9110 section 13.1.2).
  ///
  /// It is kept for a few minutes, and never beyond its end: then the tag tells cheaply whether there is a newer one.
  func cacheable(_ response: Response, tag: String, from start: Int64, until end: Int64) -> Response {
    let now = services.clock().seconds
    let age = max(0, min(services.revoking.policy.cachedFor, end - now))
    let headers = [
      HeaderField(.cacheControl, "public, max-age=\(age), no-transform, must-revalidate"),
      HeaderField(.etag, tag),
      HeaderField(.lastModified, HTTPDate(secondsSince1970: start).description),
      HeaderField(.expires, HTTPDate(secondsSince1970: now + age).description),
    ]
    if request.method == .get || request.method == .head, hasCurrent(tag) {
      return Response(304, headers: headers)
    }
    return headers.reduce(response) { $0.adding($1) }
  }

  private func hasCurrent(_ tag: String) -> Bool {
    guard let known = request.header(.ifNoneMatch) else { return false }
    return known == "*"
      || known.split(separator: ",").contains { candidate in
        let candidate = candidate.filter { $0 != " " && $0 != "\t" }
        return candidate == tag || candidate == "W/" + tag
      }
  }
}

extension Response {
  func adding(_ header: HeaderField) -> Response {
    var response = self
    response.headers.append(header)
    return response
  }
}
