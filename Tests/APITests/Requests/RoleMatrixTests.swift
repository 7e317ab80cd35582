import Directory
import HTTP
import Issuance
import JSON
import Licensing
import Testing

@testable import API

extension OverTheDatabase {
  /// Every route of the admin API × who calls × what the path names, from the table of routes.
  @Suite("The role matrix")
  struct RoleMatrixTests {
    /// Undoes everything, so that each call finds the world as it was.
    private struct Undoing: UnitsOfWork {
      let units: any UnitsOfWork

      private struct Undo<Result: Sendable>: Error { let result: Result }

      func transact<Result: Sendable>(
        _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
      ) async throws -> Result {
        do {
          return try await units.transact { unit in throw Undo(result: try await body(unit)) }
        } catch let undo as Undo<Result> {
          return undo.result
        }
      }

      func read<Result: Sendable>(
        _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
      ) async throws -> Result { try await units.read(body) }
    }

    private enum Target: CaseIterable {
      case own, unknownIDs, foreignIDs, foreignOrganization, unknownOrganization
    }

    private struct Place {
      let slug: String
      /// By the names in the patterns.
      let ids: [String: String]
    }

    @Test("each call is answered as its role demands, and what is foreign exactly as what is unknown")
    func matrix() async throws {
      try await World.with { world in
        let own = try await place(world, "acme")
        let foreign = try await place(world, "beta")
        let unknown = Place(
          slug: "gamma", ids: own.ids.mapValues { _ in "0190aaaa-0000-7000-8000-00000000dead" })
        let viewer = try await world.token("viewer", of: "/v1/organizations/acme")
        let admin = try await world.token("admin", of: "/v1/organizations/acme")
        let services = Services.forTests(
          units: Undoing(units: world.services.units), random: world.services.random)
        try await world.services.leases.refresh()
        try await services.leases.refresh()
        let listener = try Application<Visitor>(surfaces: [.admin], services: services) { visitor, _ in
          visitor.caller
        }
        let device = try Application<Visitor>(surfaces: [.device], services: services) { visitor, _ in
          visitor.caller
        }
        let callers: [(name: String, caller: Caller, token: String?)] = [
          ("nobody", .nobody, nil), ("viewer", .token(Samples.token(.viewer, of: .example)), viewer),
          ("admin", .token(Samples.token(.admin, of: .example)), admin),
          ("operator", .token(Samples.token(.operator)), world.operatorToken),
          ("admin identity", .administrator(Peers.device), nil), ("device", .device(Peers.device), nil),
        ]

        for route in Routes.all where route.surfaces.contains(.admin) && route.access.isAdministrative {
          for (name, caller, token) in callers {
            var answers: [Target: Answer] = [:]
            for target in Target.allCases {
              guard let path = path(route, target, own, foreign, unknown) else { continue }
              let headers = token.map { [HeaderField(.authorization, "Bearer \($0)")] } ?? []
              let request = try Request(route.method.name, path, headers: headers)
              let isPeer =
                if case .administrator = caller { true } else if case .device = caller { true } else { false }
              let answer = Answer(
                isPeer
                  ? await device.respond(to: request, from: Visitor(caller))
                  : await listener.respond(to: request, from: nil))
              answers[target] = answer
              let expected = expected(route, caller, target)
              #expect(
                expected.contains(answer.status),
                "\(route.method.name) \(path) as \(name): \(answer.status), not \(expected): \(answer.text)")
            }
            for (unknown, foreign) in [
              (Target.unknownIDs, Target.foreignIDs), (.unknownOrganization, .foreignOrganization),
            ] where !caller.holds(.operator) {
              guard let one = answers[unknown]?.response, let other = answers[foreign]?.response else {
                continue
              }
              #expect(
                one.body == other.body && one.headers == other.headers,
                "\(route.method.name) \(route.pattern) as \(name)")
            }
          }
        }
      }
    }

    private func expected(_ route: API.Route, _ caller: Caller, _ target: Target) -> Set<Int> {
      let passes: Set<Int> = [200, 201, 204, 400, 409, 415, 422]
      if case .nobody = caller { return [401] }
      if case .device = caller { return [404] }
      let isOperator = caller.holds(.operator)
      switch target {
      case .own: break
      // The vendor's own id need not be known: what has it is made.
      case .unknownIDs where route.pattern.hasSuffix("{externalId}"),
        .foreignIDs where route.pattern.hasSuffix("{externalId}"):
        break
      case .unknownIDs, .foreignIDs, .unknownOrganization: return [404]
      case .foreignOrganization: return isOperator ? passes.union([404]) : [404]
      }
      // What only belongs to operators is unknown to anyone else.
      if route.pattern.hasPrefix("/v1/tokens/{token}"), !isOperator { return [404] }
      if case .administrator = caller {
        if route.pattern == "/v1/token" { return [404] }
        return caller.holds(route.access) ? passes : [404]
      }
      return caller.holds(route.access) ? passes : [403]
    }

    /// The path of a route for a target; nil when the pattern names nothing of the kind.
    private func path(
      _ route: API.Route, _ target: Target, _ own: Place, _ foreign: Place, _ unknown: Place
    ) -> String? {
      let hasOrganization = route.pattern.contains("{org}")
      let names = route.pattern.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) }
      let hasIDs = names.contains { $0 != "org" }
      let organization: Place
      let ids: Place
      switch target {
      case .own: (organization, ids) = (own, own)
      case .unknownIDs: (organization, ids) = (own, unknown)
      case .foreignIDs: (organization, ids) = (own, foreign)
      case .foreignOrganization: (organization, ids) = (foreign, foreign)
      case .unknownOrganization: (organization, ids) = (unknown, foreign)
      }
      switch target {
      case .own: break
      case .unknownIDs: guard hasIDs else { return nil }
      // Products and operators' tokens belong to no organization.
      case .foreignIDs: guard hasIDs, hasOrganization else { return nil }
      case .foreignOrganization, .unknownOrganization: guard hasOrganization else { return nil }
      }
      var path = route.pattern.replacing("{org}", with: organization.slug)
      let isOperators = route.pattern.hasPrefix("/v1/tokens")
      for (name, id) in ids.ids {
        path = path.replacing(
          "{\(name)}", with: name == "token" && isOperators ? ids.ids["operatorToken"] ?? id : id)
      }
      return path
    }

    /// One of everything in an organization.
    private func place(_ world: World, _ slug: String) async throws -> Place {
      let path = try await world.organization(slug)
      let license = try await world.license(path)
      let identity = try await world.identity(path, "mac-1")
      let token = try await world.call("POST", "\(path)/tokens", #"{"name":"x","role":"viewer"}"#).expect(201)
      let enrollment = try await world.call("POST", "\(path)/enrollments", #"{"identity":"mac-1"}"#).expect(
        201)
      let operators = try await world.call("POST", "/v1/tokens", #"{"name":"x"}"#).expect(201)
      let webhook = try await world.call(
        "POST", "\(path)/webhooks", #"{"url":"https://hooks.example/"}"#
      ).expect(201)
      let seed = UInt8(slug.utf8.first ?? 0)
      let authority = try await world.authority(of: try #require(Slug(slug)), seed: seed)
      let holder = try #require(Identifier(World.last(identity)))
      try await world.certificate(of: holder, from: authority, serial: "0a", seed: seed)
      return Place(
        slug: slug,
        ids: [
          "license": World.last(license), "identity": World.last(identity), "token": token["id"],
          "enrollment": enrollment["id"], "webhook": webhook["id"],
          "product": "studio", "operatorToken": operators["id"], "authority": authority.record.id.description,
          "externalId": "crm-\(slug)",
          "certificate": String(repeating: String(seed, radix: 16), count: 32),
        ])
    }
  }
}
