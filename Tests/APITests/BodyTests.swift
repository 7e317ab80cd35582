import HTTP
import JSON
import Licensing
import Testing

@testable import API

@Suite("What is read of a request")
struct BodyTests {
  private func exchange(
    _ method: String = "POST", _ target: String = "/v1/products", body: String = "",
    headers: [HeaderField] = [HeaderField(.contentType, "application/json; charset=utf-8")]
  ) throws -> Exchange {
    let request = try Request(method, target, headers: headers, body: Array(body.utf8))
    let route = Route(.post, "/v1/products", on: [.admin], for: .operator, query: ["limit", "cursor"]) { _ in
      .noContent
    }
    let router = try Router([HTTP.Route(request.method, "/v1/products", route)])
    guard case .found(_, let parameters) = router.match(request) else { throw Problem(.notFound) }
    return Exchange(
      request, parameters: parameters, route: route, caller: .nobody, surfaces: [.admin],
      services: .forTests())
  }

  private func problem(_ body: () throws -> Void) throws -> Problem {
    do {
      try body()
    } catch {
      return try #require(Problem(telling: error))
    }
    return Problem("none", status: 200, title: "")
  }

  @Test("another media type is 415, what is no JSON 400, and what is no object 422")
  func mediaType() throws {
    let form = [HeaderField(.contentType, "application/x-www-form-urlencoded")]
    let wrong = try problem { _ = try exchange(body: "a=1", headers: form).body { _ in } }
    #expect(wrong.status == 415)
    #expect(wrong.headers == [HeaderField(.accept, "application/json")])
    #expect(try problem { _ = try exchange(body: "{}", headers: []).body { _ in } }.status == 415)
    #expect(try problem { _ = try exchange(body: "{").body { _ in } }.code == "malformed-json")
    #expect(try problem { _ = try exchange(body: #"{"a":1,"a":2}"#).body { _ in } }.status == 400)
    #expect(try problem { _ = try exchange(body: "[]").body { _ in } }.status == 422)
  }

  @Test("an empty body counts only where nothing need be said")
  func empty() throws {
    #expect(try problem { _ = try exchange(headers: []).body { _ in } }.status == 400)
    #expect(try problem { _ = try exchange(headers: []).body(isOptional: true) { _ in } }.status == 200)
  }

  @Test(
    "bad names are refused by pointer and rule",
    arguments: [
      (#"{"slug":"Acme"}"#, "/slug"), (#"{"slug":"-a"}"#, "/slug"), (#"{"code":".."}"#, "/code"),
      (#"{"name":"."}"#, "/name"), (#"{"name":"019000aa-0000-7000-8000-000000000001"}"#, "/name"),
      (#"{"name":"a b"}"#, "/name"), (#"{"issued":"a@b"}"#, "/issued"),
      (#"{"hostname":"localhost"}"#, "/hostname"),
      (#"{"hostname":"A.example"}"#, "/hostname"), (#"{"contactUrl":"javascript:alert(1)"}"#, "/contactUrl"),
      (#"{"contactUrl":"https://a b"}"#, "/contactUrl"), (#"{"metadata":{"a":1}}"#, "/metadata/a"),
      (#"{"features":{"a":null}}"#, "/features/a"), (#"{"features":{"a":{}}}"#, "/features/a"),
      (#"{"externalId":""}"#, "/externalId"), (#"{"id":"7"}"#, "/id"), (#"{"role":"operator"}"#, "/role"),
      (#"{"seats":-1}"#, "/seats"), (#"{"seats":1.5}"#, "/seats"), (#"{"at":"tomorrow"}"#, "/at"),
    ])
  func names(body: String, pointer: String) throws {
    let found = try problem {
      _ = try exchange(body: body).body { reader in
        _ = reader.optional("slug", .slug)
        _ = reader.optional("code", .productCode)
        _ = reader.optional("name", .identityName)
        _ = reader.optional("issued", .issuableName)
        _ = reader.optional("hostname", .hostname)
        _ = reader.optional("contactUrl", .contactURL)
        _ = reader.optional("features", .features)
        _ = reader.optional("id", .identifier)
        _ = reader.optional("role", .one(of: APIToken.Role.viewer, .admin))
        _ = reader.optional("seats", .count(0...9))
        _ = reader.optional("at", .instant)
        _ = reader.newRecord(Identifier(high: 0, low: 0))
      }
    }
    #expect(found.status == 422)
    #expect(found.errors.map(\.pointer) == [pointer])
  }

  @Test("metadata may have 4096 bytes, and not one more")
  func metadataSize() throws {
    for (size, status) in [(4095, 200), (4096, 422)] {
      let text = String(repeating: "x", count: size)
      let found = try problem {
        _ = try exchange(body: #"{"metadata":{"k":"\#(text)"}}"#).body { reader in
          _ = reader.newRecord(Identifier(high: 0, low: 0))
        }
      }
      #expect(found.status == status)
    }
  }

  @Test(
    "a page is asked for within its bounds",
    arguments: [
      ("?limit=0", 422), ("?limit=501", 422), ("?limit=x", 422), ("?limit=500", 200),
      ("?limit=1&limit=2", 422),
      ("?cursor=x", 422), ("?colour=red", 422), ("", 200), ("?", 200),
    ])
  func pages(query: String, status: Int) throws {
    let found = try problem {
      let exchange = try exchange("GET", "/v1/products" + query)
      try exchange.checkQuery()
      _ = try exchange.page()
    }
    #expect(found.status == status)
    if status == 422 { #expect(found.errors.first?.pointer.hasPrefix("?") == true) }
  }

  @Test("the next page begins where the cursor says")
  func next() throws {
    let exchange = try exchange("GET", "/v1/products")
    let page = exchange.list(Page(elements: [Samples.organization], next: 12))
    guard case .string(let cursor) = try JSONValue(parsing: page.body)["next"] else {
      Issue.record("no cursor")
      return
    }
    #expect(try self.exchange("GET", "/v1/products?cursor=\(cursor)").page().after == 12)
    #expect(
      try JSONValue(parsing: exchange.list(Page<Organization>(elements: [], next: nil)).body)["next"] == .null
    )
  }

  @Test(
    "If-Match is honoured",
    arguments: [
      (nil, 200), ("\"3\"", 200), ("*", 200), ("\"2\", \"3\"", 200), ("\"2\"", 412), ("W/\"3\"", 412),
      ("3", 412),
    ])
  func preconditions(tag: String?, status: Int) throws {
    let found = try problem {
      try exchange(headers: tag.map { [HeaderField(.ifMatch, $0)] } ?? []).requireMatch(
        Samples.organization.record)
    }
    #expect(found.status == status)
  }
}
