import Cryptography
import FoundationEssentials
import HTTP
import JSON
import Testing

@testable import API

/// The document that people and generators read says what the table of routes says.
@Suite("The reference")
struct ReferenceTests {
  private static let document = Result { try JSONValue(parsing: ReferenceRoute.document) }

  /// A call as the document has it.
  private struct Call {
    let operation: JSONValue
    let shared: JSONValue?
    let document: JSONValue

    /// Parameters of the path and of the operation, looked up.
    func parameters(in place: String) -> Set<String> {
      let own = ReferenceTests.elements(operation["parameters"]) + ReferenceTests.elements(shared)
      return Set(
        own.compactMap { parameter in
          var parameter = parameter
          if let reference = ReferenceTests.text(parameter["$ref"]) {
            let name = String(reference.split(separator: "/").last ?? "")
            guard let found = document["components"]?["parameters"]?[name] else { return nil }
            parameter = found
          }
          guard ReferenceTests.text(parameter["in"]) == place else { return nil }
          return ReferenceTests.text(parameter["name"])
        })
    }
  }

  private static func elements(_ value: JSONValue?) -> [JSONValue] {
    if case .array(let elements)? = value { elements } else { [] }
  }

  private static func text(_ value: JSONValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  private static func calls() throws -> [String: Call] {
    let document = try document.get()
    guard case .object(let paths)? = document["paths"] else { return [:] }
    var calls: [String: Call] = [:]
    for path in paths {
      guard case .object(let members) = path.value else { continue }
      for member in members where member.name != "parameters" {
        calls["\(member.name.uppercased()) \(path.name)"] = Call(
          operation: member.value, shared: path.value["parameters"], document: document)
      }
    }
    return calls
  }

  private static func name(_ route: API.Route) -> String {
    "\(route.method.name) \(route.pattern.replacing("*}", with: "}"))"
  }

  @Test("it was made from docs/openapi.yaml as that now is")
  func source() throws {
    let path = #filePath.replacing("Tests/APITests/ReferenceTests.swift", with: "docs/openapi.yaml")
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    #expect(try SHA256Digest(hashing: bytes).hexadecimal == OpenAPIDocument.source, "run scripts/openapi")
  }

  @Test("it has every route and no other")
  func paths() throws {
    let described = Set(try Self.calls().keys)
    let served = Set(Routes.all.map(Self.name))
    #expect(served.subtracting(described).sorted() == [], "not described")
    #expect(described.subtracting(served).sorted() == [], "not served")
  }

  @Test("of each it says who may call, where, and by which parameters")
  func routes() throws {
    let calls = try Self.calls()
    for route in Routes.all {
      let name = Self.name(route)
      guard let call = calls[name] else { continue }
      let operation = call.operation
      let role = route.access.isAdministrative ? route.access.roleName : nil
      #expect(Self.text(operation["x-role"]) == role, "\(name)")
      let surfaces = Self.elements(operation["x-surfaces"]).compactMap(Self.text)
      #expect(Set(surfaces) == Set(route.surfaces.map(\.rawValue)), "\(name)")
      #expect(call.parameters(in: "query") == route.query, "\(name)")
      let segments = route.pattern.split(separator: "{").dropFirst()
      let names = segments.map { String($0.prefix { $0 != "}" && $0 != "*" }) }
      #expect(call.parameters(in: "path") == Set(names), "\(name)")
      if route.method == .post, route.access.isAdministrative {
        #expect(call.parameters(in: "header").contains("Idempotency-Key"), "\(name)")
      }
      #expect(Self.text(operation["summary"]) != nil, "\(name)")
    }
    let names = calls.values.compactMap { Self.text($0.operation["operationId"]) }
    #expect(Set(names).count == calls.count)
  }

  @Test("it lists every code that a problem can have")
  func problems() throws {
    let codes = try Self.document.get()["components"]?["schemas"]?["ProblemCode"]?["enum"]
    #expect(Set(Self.elements(codes).compactMap(Self.text)) == Set(ProblemCode.allCases.map(\.rawValue)))
  }

  @Test("the server gives it out to anyone")
  func served() async throws {
    let application = try Application<Visitor>(surfaces: [.admin], services: .forTests()) { _, _ in .nobody }
    let response = await application.respond(to: try Request("GET", "/v1/openapi.json"), from: nil)
    #expect(response.status == 200 && response.body == ReferenceRoute.document)
    #expect(response.headers.contains(HeaderField(.contentType, "application/json")))
  }
}
