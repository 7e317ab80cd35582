import Testing

@Suite struct ArrowTests {
  let house: House

  init() throws { house = try House.drawn.get() }

  @Test func `every room imports only what its arrows permit`() throws {
    var faults: [String] = []
    for file in try swiftFiles() {
      let room = Self.room(of: file)
      let permitted = house.permitted(in: room).union(house.permittedOfToolchain(in: room))
      for line in ImportLine.all(in: try Checkout.text(of: file), of: file)
      where !permitted.contains(line.module) {
        faults.append("\(line), which no arrow of \(room) permits")
      }
    }
    #expect(faults == [])
  }

  @Test func `the drawing shows every folder, and nothing else`() throws {
    let folders = Set(try Checkout.files(under: "Sources", suffix: "").map(Self.room)).union(["Database"])
    #expect(Set(house.arrows.keys) == folders)
  }

  @Test func `no arrow leads to a room that is not drawn, and none leads back`() {
    for (room, arrows) in house.arrows {
      #expect(Set(arrows).isSubset(of: house.arrows.keys), "\(room)")
      #expect(!house.permitted(in: room).contains(room), "\(room) can reach itself")
    }
  }

  @Test func `Package.swift gives no room a dependency that no arrow permits`() throws {
    let package = try Checkout.text(of: "Package.swift")
    let declaration = /room\(\s*"(\w+)"(?:,\s*to:\s*\[([^\]]*)\])?/
    let rooms = package.matches(of: declaration)
    #expect(rooms.count > 15)
    for match in rooms {
      let dependencies = (match.2 ?? "").matches(of: /"(\w+)"/).map { String($0.1) }
      let extra = Set(dependencies).subtracting(house.permitted(in: String(match.1)))
      #expect(extra == [], "\(match.1)")
    }
  }

  @Test(arguments: [
    ("import HTTP", "HTTP"),
    ("public import HTTP", "HTTP"),
    ("  internal import HTTP  // why", "HTTP"),
    ("@_exported import HTTP", "HTTP"),
    ("@preconcurrency private import HTTP", "HTTP"),
    ("@_spi(Testing) @testable fileprivate import struct HTTP.Request", "HTTP"),
    ("package import Foundation.NSData", "Foundation"),
  ])
  func `every form of an import is seen`(line: String, module: String) {
    let imports = ImportLine.all(in: "// A file.\n\(line)\nlet x = 1\n", of: "x.swift")
    #expect(imports.map(\.module) == [module])
    #expect(imports.first?.line == 2)
  }

  @Test(arguments: [
    "// import HTTP", "let text = \"\"\"\nimport HTTP\n\"\"\"", "/*\nimport HTTP\n*/", "importHTTP()",
  ])
  func `what only looks like an import is none`(text: String) {
    #expect(ImportLine.all(in: text, of: "x.swift").isEmpty)
  }

  @Test func `an arrow permits what lies below its target, C excepted`() throws {
    let house = try House(
      drawing: """
        ```house
        COpenSSL  c    → nothing
        PKIX      x    → COpenSSL
        TLS       y    → PKIX
        Server    z    → TLS
        ```
        """)
    #expect(house.permitted(in: "PKIX") == ["COpenSSL", "Telemetry"])
    #expect(house.permitted(in: "Server") == ["TLS", "PKIX", "Telemetry"])
  }

  private func swiftFiles() throws -> [String] {
    try Checkout.files(under: "Sources", suffix: ".swift") + Checkout.files(under: "db", suffix: ".swift")
  }

  private static func room(of file: String) -> String {
    let parts = file.split(separator: "/")
    return parts[0] == "db" ? "Database" : String(parts[1])
  }
}
