import API
import HTTP
import Testing

@Suite("The table of routes")
struct RouteTests {
  @Test("every listener can be made of it", arguments: Surface.allCases)
  func noConflicts(surface: Surface) throws {
    _ = try Application<Visitor>(surfaces: [surface], services: .forTests()) { _, _ in .nobody }
  }

  @Test("all surfaces fit on one listener")
  func together() throws {
    _ = try Application<Visitor>(surfaces: Set(Surface.allCases), services: .forTests()) { _, _ in .nobody }
  }

  @Test("what belongs to the vendor is the operator's to change")
  func operators() {
    let collections = ["/v1/organizations", "/v1/products", "/v1/organizations/{org}/licenses", "/v1/tokens"]
    for route in Routes.all where route.method != .get {
      let isVendors = collections.contains { collection in
        guard route.pattern.hasPrefix(collection) else { return false }
        let rest = route.pattern.dropFirst(collection.count)
        return rest.isEmpty || rest.hasPrefix("/{") && !rest.dropFirst().contains("/")
          || rest.hasPrefix("/by-external-id/")
          || collection == "/v1/tokens"
      }
      // The vendor's words to its own program.
      let isConfiguration = route.pattern.hasSuffix("/config")
      #expect(
        (route.access == .operator) == (isVendors || isConfiguration), "\(route.method.name) \(route.pattern)"
      )
    }
  }

  @Test("whoever may read is at least a viewer, and lists take limit and cursor")
  func readers() {
    for route in Routes.all where route.method == .get && route.surfaces.contains(.admin) {
      if route.pattern.hasPrefix("/problems") || route.pattern == "/v1/openapi.json" { continue }
      #expect(route.access.isAdministrative, "\(route.pattern)")
      let isDocument = ["/v1/token", "/config", "/reservations", "/events/head"].contains {
        route.pattern.hasSuffix($0)
      }
      let isList = !route.pattern.hasSuffix("}") && !isDocument
      #expect(route.query.isSuperset(of: ["limit", "cursor"]) == isList, "\(route.pattern)")
    }
  }
}
