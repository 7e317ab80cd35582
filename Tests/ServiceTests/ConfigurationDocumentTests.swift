import FoundationEssentials
import Testing

@testable import Service

@Suite struct ConfigurationDocumentTests {
  private func text(of path: String) throws -> String {
    let root = #filePath.replacing("/Tests/ServiceTests/ConfigurationDocumentTests.swift", with: "")
    return try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  /// The table of all settings as the documentation shows it.
  private var table: String {
    var lines = ["| key | variable | takes | default | meaning |", "|---|---|---|---|---|"]
    for key in ConfigurationKey.all {
      let fallback =
        key.isRequired ? "must be given" : key.render(.blank).map { "`\($0.rendered(isInline: true))`" } ?? ""
      lines.append("| `\(key.path)` | `\(key.variable)` | \(key.allowed) | \(fallback) | \(key.meaning) |")
    }
    return lines.joined(separator: "\n")
  }

  @Test func `operations.md has the table of all settings`() throws {
    let document = try text(of: "docs/operations.md")
    #expect(document.contains(table), "the table should be:\n\(table)")
  }

  @Test func `the example configuration is right, and shows every key`() throws {
    let example = try text(of: "deploy/usher.json")
    _ = try Configuration(json5: example, source: "deploy/usher.json", folder: "/etc/usher")
    for key in ConfigurationKey.all {
      let name = try #require(key.path.split(separator: ".").last)
      #expect(example.contains("\(name): "), "\(key.path)")
    }
  }

  @Test func `what the example shows as default is the default`() throws {
    let example = try text(of: "deploy/usher.json")
    let uncommented = example.replacing(/\/\/ (\w+: [^\n,]+,)/) { String($0.1) }
    let configuration = try Configuration(json5: uncommented, source: "deploy/usher.json")
    for key in ConfigurationKey.all where !key.isRequired && key.render(.blank) != nil {
      #expect(key.render(configuration) == key.render(.blank), "\(key.path)")
    }
  }
}
