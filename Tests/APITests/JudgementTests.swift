import HTTP
import JSON
import Licensing
import Testing

@testable import API

/// The order of judgement up to the database, which is away here: 503 means that everything before it was passed.
@Suite("The order of judgement")
struct JudgementTests {
  static let token = "usher_op_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

  private func answer(
    _ surfaces: Set<Surface>, _ method: String, _ target: String, headers: [HeaderField] = [],
    peer: Caller? = nil
  ) async throws -> Response {
    let application = try Application<Visitor>(surfaces: surfaces, services: .forTests()) { visitor, _ in
      visitor.caller
    }
    return await application.respond(
      to: try Request(method, target, headers: headers), from: peer.map(Visitor.init))
  }

  private func code(_ response: Response) throws -> JSONValue? {
    try JSONValue(parsing: response.body)["code"]
  }

  @Test("an unknown path is 404 and a known one with another method 405, whoever asks")
  func routes() async throws {
    let unknown = try await answer([.admin], "GET", "/v1/nothing")
    #expect(unknown.status == 404)
    #expect(try code(unknown) == .string("not-found"))
    let method = try await answer([.admin], "PUT", "/v1/organizations")
    #expect(method.status == 405)
    #expect(method.headers.contains(HeaderField(.allow, "POST, GET, HEAD")))
  }

  @Test("without a token, or with what is none, it is 401 and says how to do it")
  func unauthenticated() async throws {
    for authorization in [nil, "Bearer nonsense", "Basic dXNlcjpwdw==", "Bearer", "Bearer \(Self.token) x"] {
      let headers = authorization.map { [HeaderField(.authorization, $0)] } ?? []
      let response = try await answer([.admin], "GET", "/v1/organizations/acme", headers: headers)
      #expect(response.status == 401)
      #expect(try code(response) == .string("token-invalid"))
      #expect(response.headers.contains { $0.name == .wwwAuthenticate && $0.value.hasPrefix("Bearer") })
      #expect(response.headers.contains(HeaderField(.cacheControl, "no-store")))
    }
  }

  @Test("a token of the right form is looked up, and without the database that is 503")
  func lookup() async throws {
    let response = try await answer(
      [.admin], "GET", "/v1/organizations", headers: [HeaderField(.authorization, "Bearer \(Self.token)")])
    #expect(response.status == 503)
  }

  @Test("on the device listener a device finds no admin route, not even by another method")
  func devices() async throws {
    for method in ["GET", "PUT", "DELETE"] {
      let response = try await answer(
        [.device], method, "/v1/organizations",
        headers: [HeaderField(.authorization, "Bearer \(Self.token)")],
        peer: .device(Peers.device))
      #expect(response.status == 404)
      #expect(response.headers.contains(HeaderField(.cacheControl, "no-store")))
    }
  }

  @Test("an admin identity finds the admin routes there, but not what is the operator's")
  func administrators() async throws {
    let peer = Caller.administrator(Peers.device)
    #expect(try await answer([.device], "GET", "/v1/organizations", peer: peer).status == 503)
    #expect(try await answer([.device], "GET", "/v1/organizations/acme/licenses", peer: peer).status == 503)
    let foreign = try await answer([.device], "GET", "/v1/nothing", peer: peer)
    for (method, target) in [
      ("POST", "/v1/organizations"), ("POST", "/v1/organizations/acme/licenses"), ("GET", "/v1/tokens"),
    ] {
      let response = try await answer([.device], method, target, peer: peer)
      #expect(response.status == 404)
      #expect(response.body == foreign.body)
    }
  }

  @Test("a refused peer is told so on every path, and the connection closes")
  func refused() async throws {
    for target in ["/v1/nothing", "/problems", "/v1/identity"] {
      let application = try Application<Visitor>(surfaces: [.device], services: .forTests()) { _, _ in
        throw Problem(.certificateRevoked)
      }
      let response = await application.respond(to: try Request("GET", target), from: Visitor(.nobody))
      #expect(response.status == 410)
      #expect(response.closes)
      #expect(response.headers.contains(HeaderField(.cacheControl, "no-store")))
    }
  }

  @Test("a server that cannot tell whom a certificate speaks for keeps the connection")
  func unsure() async throws {
    let application = try Application<Visitor>(surfaces: [.device], services: .forTests()) { _, _ in
      throw StorageError.unavailable("")
    }
    let response = await application.respond(to: try Request("GET", "/v1/identity"), from: Visitor(.nobody))
    #expect(response.status == 503)
    #expect(!response.closes)
  }

  @Test("problems have pages wherever people look, and not among the probes")
  func pages() async throws {
    for surface in Surface.allCases {
      let list = try await answer([surface], "GET", "/problems")
      #expect(list.status == (surface == .ops ? 404 : 200))
    }
    for code in ProblemCode.allCases {
      let page = try await answer([.public], "GET", "/problems/\(code.rawValue)")
      #expect(page.status == 200)
      #expect(page.headers.contains(HeaderField(.contentType, "text/html; charset=utf-8")))
      #expect(String(decoding: page.body, as: UTF8.self).contains("<code>\(code.rawValue)</code>"))
    }
    #expect(try await answer([.public], "GET", "/problems/no-such").status == 404)
  }
}
