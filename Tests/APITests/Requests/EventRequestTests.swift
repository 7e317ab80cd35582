import HTTP
import Issuance
import JSON
import Licensing
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("The audit trail")
  struct EventRequestTests {
    @Test("it says who did what to whom, by ids")
    func rows() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let own = try await world.call("POST", "\(path)/tokens", #"{"name":"x","role":"admin"}"#).expect(201)
        let identity = try await world.call(
          "POST", "\(path)/identities", #"{"name":"mac-1"}"#, as: own["token"]
        ).expect(201)
        let license = try await world.license(path)
        let events = try await world.call("GET", "\(path)/events").expect(200).data
        #expect(
          events.map { $0["type"] } == [
            .string("organization.created"), .string("token.created"), .string("identity.created"),
            .string("license.created"),
          ])
        let made = try #require(events.first { $0["type"] == .string("identity.created") })
        #expect(made["identity"] == .string(identity["id"]) && made["organization"] == .string("acme"))
        #expect(made["actor"]?["kind"] == .string("token") && made["actor"]?["id"] == .string(own["id"]))
        #expect(made["detail"]?["role"] == .string("device") && made["license"] == .null)
        #expect(Set(events.map { $0["id"] }).count == 4)
        let licensed = try await world.call("GET", "\(path)/events?license=\(World.last(license))").data
        #expect(licensed.map { $0["type"] } == [.string("license.created")])
        for filter in ["identity=mac-1", "identity=\(identity["id"])", "type=identity.created"] {
          #expect(try await world.call("GET", "\(path)/events?\(filter)").data == [made], "\(filter)")
        }
        for filter in ["type=x", "identity=mac-2", "license=0190aaaa-0000-7000-8000-00000000dead"] {
          #expect(try await world.call("GET", "\(path)/events?\(filter)").expect(200).data.isEmpty)
        }
        for filter in ["identity=..", "license=x", "from=yesterday", "cursor=x", "limit=501"] {
          #expect(try await world.call("GET", "\(path)/events?\(filter)").status == 422, "\(filter)")
        }
      }
    }

    @Test("a stretch of time holds its first moment and not its last")
    func time() async throws {
      try await World.with { world in
        let path = try await world.organization()
        try await world.run(
          """
          INSERT INTO event (organization_id, at, type) SELECT o.id, '2026-01-01T00:00:00Z'::timestamptz
            + n * interval '1 minute', 'test.' || n FROM organization o, generate_series(1, 3) n
          """)
        let query = "from=2026-01-01T00:01:00Z&to=2026-01-01T00:03:00Z"
        let events = try await world.call("GET", "\(path)/events?\(query)").expect(200).data
        #expect(events.map { $0["type"] } == [.string("test.1"), .string("test.2")])
      }
    }

    @Test(
      "500 rows of one moment, page by page while rows go: each remaining one once", arguments: [true, false])
    func paging(asOperator: Bool) async throws {
      try await World.with { world in
        let path = try await world.organization()
        try await world.run(
          """
          INSERT INTO event (organization_id, at, type) SELECT o.id, now(), 'test.' || n
            FROM organization o, generate_series(1, 500) n
          """)
        let list = asOperator ? "/v1/events" : "\(path)/events"
        var types: [String] = []
        var gone: Set<String> = []
        var target: String? = "\(list)?limit=7"
        var page = 0
        while let next = target {
          let answer = try await world.call("GET", next).expect(200)
          #expect(answer.data.count <= 7)
          types += answer.data.compactMap { if case .string(let type) = $0["type"] { type } else { nil } }
          // The row that the cursor names, and one far ahead.
          page += 1
          for type in [types.last ?? "", "test.\(500 - page)"] where type.hasPrefix("test.") {
            try await world.run("DELETE FROM event WHERE type = '\(type)'")
            if !types.contains(type) { gone.insert(type) }
          }
          target = answer.next.map { "\(list)?limit=7&cursor=\($0)" }
        }
        let expected = Set((1...500).map { "test.\($0)" }).subtracting(gone)
        #expect(types.count == Set(types).count)
        #expect(Set(types.filter { $0.hasPrefix("test.") }) == expected)
      }
    }

    @Test("an export is a line per event, and leads on where it ends")
    func export() async throws {
      try await World.with { world in
        let path = try await world.organization()
        try await world.call("POST", "\(path)/identities", #"{"name":"a"}"#).expect(201)
        let all = try await world.call("GET", "\(path)/events/export").expect(200)
        #expect(all.header(.contentType) == "application/x-ndjson" && all.header("Link") == "")
        let lines = all.text.split(separator: "\n").map { try? JSONValue(parsing: Array($0.utf8)) }
        #expect(lines.map { $0?["type"] } == [.string("organization.created"), .string("identity.created")])
        let first = try await world.call("GET", "\(path)/events/export?limit=1&type=identity.created")
        #expect(first.text.contains("identity.created") && first.header("Link") == "")
        let link = try await world.call("GET", "\(path)/events/export?limit=1").expect(200).header("Link")
        let next = try #require(link.wholeMatch(of: /<(.+)>; rel="next"/)).1
        let second = try await world.call("GET", String(next)).expect(200)
        #expect(second.text.contains("identity.created") && !second.text.contains("organization.created"))
      }
    }

    @Test("an organization sees its own only, and an operator everybody's and its own")
    func isolation() async throws {
      try await World.with { world in
        let path = try await world.organization()
        try await world.organization("beta")
        try await world.call("POST", "/v1/products", #"{"code":"p","name":"P"}"#).expect(201)
        let viewer = try await world.token("viewer", of: path)
        let own = try await world.call("GET", "\(path)/events", as: viewer).expect(200).data
        #expect(own.allSatisfy { $0["organization"] == .string("acme") } && own.count == 2)
        let all = try await world.call("GET", "/v1/events").expect(200).data
        #expect(
          all.map { $0["organization"] } == [.string("acme"), .string("beta"), .null, .string("acme")])
        #expect(try await world.call("GET", "/v1/events", as: viewer).status == 403)
      }
    }

    @Test(
      "an admin identity is named with the certificate that it showed, its next transaction's actor is not")
    func certificate() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let identity = try await world.identity(path, "chief")
        let authority = try await world.authority(of: .example, seed: 7)
        let holder = try #require(Identifier(World.last(identity)))
        try await world.certificate(of: holder, from: authority, serial: "0a", seed: 7)
        try await world.services.units.transact { unit in
          let organization = try #require(try await unit.organization(.example, locked: false)).record.key
          let found = try #require(try await unit.identity(.id(holder), of: organization, locked: false))
          let certificates = try await unit.certificates(
            .serialNumber("0a"), of: organization, locked: false)
          try await unit.act(by: try #require(certificates.first).key)
          try await unit.record(
            AuditEvent("test.made", organization: organization, actor: .identity(found.record.key)))
        }
        try await world.run(
          """
          INSERT INTO event (organization_id, type, actor_kind, actor_id)
          SELECT organization_id, 'test.later', 2, id FROM identity
          """)
        let made = try #require(try await world.call("GET", "\(path)/events?type=test.made").data.first)
        let actor = made["actor"]
        #expect(actor?["kind"] == .string("identity") && actor?["id"] == .string(holder.description))
        #expect(actor?["certificate"]?["serialNumber"] == .string("0a"))
        #expect(
          actor?["certificate"]?["fingerprint"] == .string(String(repeating: "07", count: 32)))
        let later = try #require(try await world.call("GET", "\(path)/events?type=test.later").data.first)
        #expect(later["actor"]?["id"] == .string(holder.description))
        #expect(later["actor"]?["certificate"] == nil)
      }
    }
  }
}
