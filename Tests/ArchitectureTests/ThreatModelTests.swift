import FoundationEssentials
import Testing

/// The threat model names the tests that attack it.
@Suite struct ThreatModelTests {
  @Test func `each attack names tests, and all of them are there`() throws {
    let model = try Checkout.text(of: "docs/threat-model.md")
    let start = try #require(model.firstRange(of: "## What an attacker may try"))
    let end = try #require(model.firstRange(of: "## What it does not defend against"))
    let suites = Set(
      try Checkout.files(under: "Tests", suffix: "Tests.swift").compactMap {
        $0.split(separator: "/").last?.dropLast(".swift".count)
      })
    var attacks = 0
    for part in model[start.upperBound..<end.lowerBound].split(separator: "\n**").dropFirst() {
      let named = part.matches(of: /`([A-Za-z0-9]+Tests)`/).map(\.1)
      #expect(!named.isEmpty, "no test attacks “\(part.prefix { $0 != "*" })”")
      for name in named { #expect(suites.contains(name), "there is no \(name)") }
      attacks += 1
    }
    #expect(attacks > 10)
  }
}
