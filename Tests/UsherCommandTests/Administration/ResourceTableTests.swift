import Foundation
import JSON
import Testing
import UsherClient

@testable import UsherCommand

/// The table of commands against the reference of the API.
@Suite struct ResourceTableTests {
  private static let reference: JSONValue = {
    let file = #filePath.replacing(
      "Tests/UsherCommandTests/Administration/ResourceTableTests.swift",
      with: "Sources/API/Reference/OpenAPIDocument.swift")
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    let json = text.split(separator: "##\"\"\"").last?.split(separator: "\"\"\"##").first
    let bytes = Data((json ?? "").utf8)
    return value(try? JSONSerialization.jsonObject(with: bytes))
  }()

  /// It nests deeper than the program's own parser reads.
  private static func value(_ any: Any?) -> JSONValue {
    switch any {
    case let members as [String: Any]: .object(members.map { JSONMember($0.key, value($0.value)) })
    case let elements as [Any]: .array(elements.map(value))
    case let text as String: .string(text)
    case _: .null
    }
  }

  static let commands: [(resource: Resource, verb: Verb)] = Resource.all.flatMap { resource in
    resource.verbs.map { (resource, $0) }
  }
  static let names = commands.map { "\($0.resource.name) \($0.verb.name)" }

  /// The paths that a verb can have, as the reference writes them.
  private static func paths(_ verb: Verb) -> [String] {
    let path = verb.path.replacing("{organization}", with: "{org}")
    guard path.contains("[") else { return [path] }
    return [
      path.replacing("[", with: "").replacing("]", with: ""),
      path.replacing("[/organizations/{org}]", with: ""),
    ]
  }

  private static func resolved(_ value: JSONValue?) -> JSONValue? {
    guard case .string(let reference)? = value?["$ref"] else { return value }
    // Names of parameters hold dots, so the path of names is walked here.
    return reference.split(separator: "/").dropFirst().reduce(Self.reference) { value, name in
      value?[String(name)]
    } as JSONValue?
  }

  private static func operation(_ method: String, _ path: String) -> JSONValue? {
    Self.reference["paths"]?[path]?[method.lowercased()]
  }

  private static func elements(_ value: JSONValue?) -> [JSONValue] {
    if case .array(let elements)? = value { elements } else { [] }
  }

  private static func names(of value: JSONValue?) -> [String] {
    if case .object(let members)? = value { members.map(\.name) } else { [] }
  }

  @Test(arguments: names.indices) func `a verb is a route, and takes what the route takes`(index: Int) throws
  {
    let (resource, verb) = Self.commands[index]
    for path in Self.paths(verb) {
      let operation = try #require(
        Self.operation(verb.method.rawValue, path), "\(resource.name) \(verb.name): \(path)")
      let places = verb.arguments.map(\.place)
      var expected = Set<String>()
      for parameter in Self.elements(operation["parameters"]).compactMap(Self.resolved) {
        guard case .string(let name)? = parameter["name"], name != "limit", name != "cursor" else { continue }
        expected.insert(name)
      }
      var taken = Set<String>()
      for place in places {
        switch place {
        case .query(let name), .field(let name): taken.insert(name)
        case _: break
        }
      }
      if verb.constants.isEmpty { #expect(taken == expected, "\(resource.name) \(verb.name)") }
      #expect(taken.isSubset(of: expected))
      try checkBody(verb, operation, places, path)
    }
  }

  private func checkBody(
    _ verb: Verb, _ operation: JSONValue, _ places: [Parameter.Place], _ path: String
  ) throws {
    let contents = operation["requestBody"]?["content"]
    let isFile = places.contains { if case .body = $0 { true } else { false } }
    if isFile {
      for case .body(let mediaType) in places {
        #expect(Self.names(of: contents).contains(mediaType))
      }
      return
    }
    // A body that may be one of several is a command with the arguments of all.
    let body = Self.resolved(contents?["application/json"]?["schema"])
    let alternatives = Self.elements(body?["oneOf"]).compactMap(Self.resolved)
    let schemas = alternatives.isEmpty ? [body].compactMap(\.self) : alternatives
    var taken = Set(verb.constants.keys)
    for case .member(let pointer) in places {
      taken.insert(String(pointer.prefix { $0 != "/" }))
      let values = schemas.compactMap { schema in
        pointer.split(separator: "/").reduce(schema as JSONValue?) { value, name in
          Self.resolved(value?["properties"]?[String(name)])
        }
      }
      #expect(!values.isEmpty, "\(path) has no member \(pointer)")
    }
    if verb.constants.isEmpty {
      // What the path says already need not be said again.
      let members = schemas.flatMap { Self.names(of: $0["properties"]) }.filter { !path.contains("{\($0)}") }
      #expect(taken == Set(members), "\(path)")
    }
    // Operators' tokens have one role, so it can be left out.
    let required = schemas.map { Self.elements($0["required"]) }
    for case .string(let name) in required.first ?? []
    where required.allSatisfy({ $0.contains(.string(name)) }) && verb.constants.isEmpty
      && !verb.path.contains("[")
    {
      let given = try #require(
        verb.arguments.first {
          if case .member(let pointer) = $0.place { pointer.prefix { $0 != "/" } == name } else { false }
        })
      #expect(given.isRequired, "\(path): \(name) is required")
    }
  }

  @Test func `every route of an admin has a verb`() {
    let verbs = Set(
      Self.commands.flatMap { command in
        Self.paths(command.verb).map { "\(command.verb.method.rawValue) \($0)" }
      })
    var routes = Set<String>()
    for path in Self.names(of: Self.reference["paths"]) {
      for method in Self.names(of: Self.reference["paths"]?[path]) where method != "parameters" {
        let operation = Self.operation(method, path)
        guard Self.elements(operation?["x-surfaces"]).contains(.string("admin")) else { continue }
        routes.insert("\(method.uppercased()) \(path)")
      }
    }
    // Those that have commands of their own.
    let others: Set = [
      "POST /v1/setup", "POST /v1/bulk", "GET /v1/token", "GET /v1/openapi.json", "GET /problems",
      "GET /problems/{code}",
    ]
    #expect(routes.subtracting(verbs).subtracting(others) == [])
  }

  @Test(arguments: names.indices) func `a list shows members that there are`(index: Int) throws {
    let (resource, verb) = Self.commands[index]
    guard case .list(let columns) = verb.shape, let path = Self.paths(verb).first else { return }
    let answer = Self.operation("get", path)?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
    let item = Self.resolved(Self.resolved(answer)?["properties"]?["data"]?["items"])
    #expect(!columns.isEmpty)
    for column in columns {
      var value = item
      for name in column.split(separator: ".") { value = Self.resolved(value?["properties"]?[String(name)]) }
      #expect(value != nil, "\(resource.name) list: \(column)")
    }
  }

  @Test(arguments: names) func `every verb has help, on lines that can be read`(name: String) async {
    let words = name.split(separator: " ").map(String.init)
    let screen = await Screen.after(words + ["--nonsense", "--help"])
    #expect(screen.code == .success && screen.printed.hasPrefix("Usage: usher \(name) "))
    #expect(await Screen.after(["help"] + words).printed == screen.printed)
    for line in screen.printed.split(separator: "\n") { #expect(line.count <= 90, "\(line)") }
  }

  @Test(arguments: names.indices) func `no two arguments of a verb have one name`(index: Int) {
    let names = Self.commands[index].verb.arguments.map { $0.name.lowercased() }
    #expect(Set(names).count == names.count, "\(names)")
  }
}
