internal import Cryptography
internal import JSON
package import PKIX
package import UsherClient

/// What a run needs on the server, made through the admin API, and taken away again.
///
/// All runs share one product: the server keeps a product once a license of it was sold.
package struct Stage: Sendable {
  package struct Organization: Sendable {
    let slug: String
    let license: String
  }

  package static let product = "usher-bench"

  private let organizations: [Organization]
  private let administrators: [Administrator]

  /// Makes a product, and for each CA an organization that trusts it and has a license with `seats` seats.
  ///
  /// `administrators` are connections with an operator's token; what is many is spread over them.
  package static func make(
    trusting authorities: [Certificate], seats: Int, by administrators: [Administrator]
  ) async throws(LoadFailure) -> Stage {
    let name = "bench-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    do {
      try await makeProduct(administrators[0])
      let organizations = try await spread(Array(authorities.enumerated()), over: administrators) {
        (administrator, entry) in
        try await makeOrganization(
          "\(name)-\(entry.offset)", entry.element, seats, administrator)
      }
      return Stage(organizations: organizations, administrators: administrators)
    } catch { throw LoadFailure("the server cannot be prepared: \(error)") }
  }

  private static func makeProduct(_ administrator: Administrator) async throws {
    do {
      try await administrator.call(
        .post, "/v1/products",
        .object([JSONMember("code", .string(product)), JSONMember("name", .string("Load tests"))]))
    } catch ClientError.refused(let problem) where problem.code == "already-exists" {}
  }

  private static func makeOrganization(
    _ slug: String, _ authority: Certificate, _ seats: Int, _ administrator: Administrator
  ) async throws -> Organization {
    try await administrator.call(
      .post, "/v1/organizations",
      .object([JSONMember("slug", .string(slug)), JSONMember("name", .string("Load test"))]))
    try await administrator.call(
      .post, "/v1/organizations/\(slug)/authorities",
      .object([
        JSONMember("kind", .string("external")), JSONMember("certificate", .string(authority.pem)),
        JSONMember("mapping", .array([.object([JSONMember("field", .string("san-uri"))])])),
        JSONMember("autoProvision", .boolean(true)), JSONMember("trusted", .boolean(true)),
      ]))
    let license = try await administrator.call(
      .post, "/v1/organizations/\(slug)/licenses",
      .object([
        JSONMember("product", .string(product)), JSONMember("model", .string("floating")),
        JSONMember("seats", .integer(Int64(seats))), JSONMember("leaseSeconds", .integer(86_400)),
      ]))
    guard case .string(let id)? = license["id"] else { throw LoadFailure("a license without an id was made") }
    return Organization(slug: slug, license: id)
  }

  /// Enrollment tokens for `count` devices, of a CA that the server makes for it in the first organization.
  package func enrollments(_ count: Int, keys: KeyCache) async throws(LoadFailure) -> EnrollmentSupply {
    let uses = 10_000
    let path = "/v1/organizations/\(organizations[0].slug)"
    do {
      try await administrators[0].call(
        .post, "\(path)/authorities", .object([JSONMember("kind", .string("managed"))]))
      var tokens: [String] = []
      for _ in 0..<(count + uses - 1) / uses {
        let enrollment = try await administrators[0].call(
          .post, "\(path)/enrollments", .object([JSONMember("uses", .integer(Int64(uses)))]))
        guard case .string(let token)? = enrollment["token"] else { continue }
        tokens.append(token)
      }
      return EnrollmentSupply(tokens: tokens, usesOfToken: uses, keys: try await keys.keys(1000))
    } catch { throw LoadFailure("enrollments cannot be made: \(error)") }
  }

  /// Frees the seats and deletes the organizations.
  package func strike() async throws(LoadFailure) {
    do {
      _ = try await Self.spread(organizations, over: administrators) { administrator, organization in
        try await clear(organization, administrator)
      }
    } catch { throw LoadFailure("the organizations of the run remain: \(error)") }
  }

  private func clear(_ organization: Organization, _ administrator: Administrator) async throws {
    let path = "/v1/organizations/\(organization.slug)"
    let license = "\(path)/licenses/\(organization.license)"
    while true {
      // Deleting what was listed moves the rest forward, so the first page is asked for again and again.
      let page = try await administrator.call(.get, "\(license)/seats?limit=500")
      guard case .array(let seats)? = page["data"], !seats.isEmpty else { break }
      let names = seats.compactMap { seat in
        if case .string(let name)? = seat["identity"] { name } else { nil }
      }
      _ = try await Self.spread(names, over: administrators) { administrator, name in
        _ = try await administrator.call(.delete, "\(license)/seats/\(Administrator.segment(name))")
      }
    }
    try await administrator.call(.delete, license)
    try await administrator.call(.delete, path)
  }

  /// Does something for each of many, as many at a time as there are administrators; the results in order.
  private static func spread<Element: Sendable, Result: Sendable>(
    _ elements: [Element], over administrators: [Administrator],
    _ body: @escaping @Sendable (Administrator, Element) async throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: [(Int, Result)].self) { group in
      for (place, administrator) in administrators.enumerated() {
        group.addTask {
          var results: [(Int, Result)] = []
          for index in stride(from: place, to: elements.count, by: administrators.count) {
            results.append((index, try await body(administrator, elements[index])))
          }
          return results
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}
