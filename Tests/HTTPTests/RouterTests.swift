import HTTP
import Testing

struct RouterTests {
  static let routes = [
    Route(.get, "/livez", "live"),
    Route(.get, "/v1/token", "token"),
    Route(.get, "/v1/tokens", "tokens"),
    Route(.post, "/v1/tokens", "new token"),
    Route(.get, "/v1/seats/{product}", "check"),
    Route(.put, "/v1/seats/{product}", "claim"),
    Route(.delete, "/v1/seats/{product}", "release"),
    Route(.get, "/v1/organizations/{org}", "organization"),
    Route(.put, "/v1/organizations/{org}/licenses/{id}/seats/{identity}", "assign"),
    Route(.post, "/ocsp/{id}", "ask"),
    Route(.get, "/ask/{id}/{identity*}", "rest"),
    Route(.post, "/ask/{id}/{identity*}", "post rest"),
  ]

  private func answer(_ method: String, _ target: String) throws -> String {
    switch try Router(RouterTests.routes).match(Request(method, target)) {
    case .found(let value, let parameters):
      let values = ["product", "org", "id", "identity"].map { parameters[$0] }.filter { !$0.isEmpty }
      return ([value] + values).joined(separator: " ")
    case .notFound: return "404"
    case .methodNotAllowed(let methods): return "405 " + methods.map(\.name).joined(separator: ", ")
    }
  }

  static let requests = [
    ("GET", "/livez", "live"),
    ("HEAD", "/livez", "live"),
    ("GET", "/livez?verbose=1", "live"),
    ("GET", "http://localhost/livez", "live"),
    ("GET", "/v1/token", "token"),
    ("GET", "/v1/tokens", "tokens"),
    ("HEAD", "/v1/seats/studio", "check studio"),
    ("PUT", "/v1/seats/studio", "claim studio"),
    ("DELETE", "/v1/seats/a.b-c_d~", "release a.b-c_d~"),
    ("GET", "/v1/seats/a%20b", "check a b"),
    ("GET", "/v1/seats/caf%C3%A9", "check caf\u{e9}"),
    ("GET", "/v1/seats/+", "check +"),
    ("GET", "/v1/seats/%2525", "check %25"),
    ("PUT", "/v1/organizations/acme/licenses/7/seats/a%2Fb%3Ac%40d", "assign acme 7 a/b:c@d"),
    ("PUT", "/v1/organizations/acme/licenses/7/seats/a:b@c", "assign acme 7 a:b@c"),
    ("GET", "/v1/seats/...", "check ..."),
    ("GET", "/v1/seats/.a", "check .a"),
    ("GET", "/ask/7/a", "rest 7 a"),
    ("POST", "/ask/7/a", "post rest 7 a"),
    ("GET", "/ask/7/a/b//c+%2F%3D=", "rest 7 a/b//c+/=="),
    ("GET", "/ask/7//", "rest 7 /"),
    ("GET", "/ask/7/", "404"),
    ("GET", "/ask/7", "404"),
    // The path is known, the method is not.
    ("POST", "/livez", "405 GET, HEAD"),
    ("PATCH", "/v1/seats/studio", "405 GET, HEAD, PUT, DELETE"),
    ("OPTIONS", "/v1/tokens", "405 GET, HEAD, POST"),
    ("PURGE", "/v1/tokens", "405 GET, HEAD, POST"),
    ("HEAD", "/v1/organizations/a/licenses/b/seats/c", "405 PUT"),
    // The path is not known.
    ("GET", "/", "404"),
    ("GET", "/livez/", "404"),
    ("GET", "//livez", "404"),
    ("GET", "/LIVEZ", "404"),
    ("GET", "/live%7A", "404"),
    ("GET", "/livezz", "404"),
    ("GET", "/live", "404"),
    ("GET", "/v1", "404"),
    ("GET", "/v1/seats", "404"),
    ("GET", "/v1/seats/", "404"),
    ("GET", "/v1/seats/.", "404"),
    ("GET", "/v1/seats/..", "404"),
    ("GET", "/v1/seats/%2e", "404"),
    ("GET", "/v1/seats/.%2E", "404"),
    ("GET", "/v1/seats/%2e%2e", "404"),
    ("GET", "/v1/seats/studio/", "404"),
    ("GET", "/v1/seats/studio/x", "404"),
    ("GET", "/v1/seats/../token", "404"),
    ("GET", "/v1/organizations//licenses/7/seats/a", "404"),
    ("GET", "/v1/organizations/acme/licenses", "404"),
    ("GET", "http://localhost", "404"),
    ("OPTIONS", "*", "404"),
  ]

  @Test(arguments: requests)
  func `A request finds its route, or learns why not`(_ request: (String, String, String)) throws {
    #expect(try answer(request.0, request.1) == request.2)
  }

  static let conflicts: [[Route<Int>]] = [
    [Route(.get, "/a", 1), Route(.get, "/a", 2)],
    [Route(.get, "/a/{b}", 1), Route(.get, "/a/{b}", 2)],
    [Route(.get, "/a/{b}", 1), Route(.put, "/a/{c}", 2)],
    [Route(.get, "/a/{b*}", 1), Route(.put, "/a/c", 2)],
    [Route(.get, "/a/b", 1), Route(.put, "/a/{c*}", 2)],
    [Route(.get, "/{a}/{a}", 1)],
    [Route(.get, "/{a}/{b}/{c}/{d}/{e}", 1)],
    [Route(.get, "a", 1)],
    [Route(.get, "", 1)],
    [Route(.get, "/", 1)],
    [Route(.get, "/a//b", 1)],
    [Route(.get, "/a/", 1)],
    [Route(.get, "/a b", 1)],
    [Route(.get, "/%61", 1)],
    [Route(.get, "/{}", 1)],
    [Route(.get, "/{a", 1)],
    [Route(.head, "/a", 1)],
    [Route(.other, "/a", 1)],
  ]

  @Test(arguments: conflicts.indices) func `A table that is ambiguous or senseless is none`(_ index: Int) {
    #expect(throws: RouteConflict.self) { try Router(RouterTests.conflicts[index]) }
  }

  @Test func `A conflict names the route`() {
    let conflict = #expect(throws: RouteConflict.self) {
      try Router([Route(.get, "/a/{b*}", 1), Route(.put, "/a/c", 2)])
    }
    #expect(conflict?.description == "PUT /a/c: a parameter would also take c")
  }

  @Test func `A literal wins over a parameter, whichever stands first, and there is no way back`() throws {
    for isTurned in [false, true] {
      let routes = [
        Route(.get, "/a/{b}", 1), Route(.put, "/a/by-id/{c}", 2), Route(.get, "/a/{b}/d", 3),
      ]
      let router = try Router(isTurned ? routes.reversed() : routes)
      func found(_ method: String, _ path: String) throws -> Int? {
        if case .found(let value, _) = router.match(try Request(method, path)) { value } else { nil }
      }
      #expect(try found("GET", "/a/x") == 1)
      #expect(try found("PUT", "/a/by-id/x") == 2)
      #expect(try found("PUT", "/a/by-id/d") == 2)
      #expect(try found("GET", "/a/x/d") == 3)
      #expect(try found("GET", "/a/by-id/d") == nil)
      #expect(try found("GET", "/a/by-id") == nil)
      #expect(try found("GET", "/a/by-ids") == 1)
    }
  }

  @Test func `The routes of a table can be listed`() throws {
    let router = try Router(RouterTests.routes)
    #expect(router.routes.map(\.pattern) == RouterTests.routes.map(\.pattern))
    #expect(router.routes[3].method == .post)
  }
}
