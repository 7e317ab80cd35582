import HTTP
import Issuance
import JSON
import Licensing
import Store
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("Lists that are narrowed")
  struct FilterTests {
    private func names(_ answer: Answer, _ member: String = "name") -> [String] {
      answer.data.compactMap { if case .string(let text) = $0[member] { text } else { nil } }
    }

    @Test("identities, by text, status, role, the vendor's id, and the end of their certificates")
    func identities() async throws {
      try await World.with { world in
        let path = try await world.organization()
        for body in [
          #"{"name":"Mac-1","externalId":"asset-7"}"#, #"{"name":"mac-2","role":"admin"}"#,
          #"{"name":"pc-1"}"#,
        ] {
          try await world.call("POST", "\(path)/identities", body).expect(201)
        }
        try await world.call("PATCH", "\(path)/identities/pc-1", #"{"status":"suspended"}"#).expect(200)
        let authority = try await world.authority(of: .example, seed: 7)
        let holder = try #require(
          Identifier(try await world.call("GET", "\(path)/identities/mac-2")["id"]))
        try await world.certificate(of: holder, from: authority, serial: "0a", seed: 7)
        let expected = [
          "q=MAC": ["Mac-1", "mac-2"], "q=asset": ["Mac-1"], "q=%25": [], "status=suspended": ["pc-1"],
          "role=admin": ["mac-2"], "externalId=asset-7": ["Mac-1"], "externalId=asset": [],
          "q=mac&role=device": ["Mac-1"], "certificateExpiresBefore=2096-10-03T00:00:00Z": ["mac-2"],
          "certificateExpiresBefore=2096-10-01T00:00:00Z": [],
        ]
        for (query, names) in expected {
          let answer = try await world.call("GET", "\(path)/identities?\(query)").expect(200)
          #expect(self.names(answer) == names, "\(query)")
        }
        for query in [
          "q=", "q=a%0Fb", "externalId=%C2%85", "status=deleted", "role=operator",
          "certificateExpiresBefore=soon", "notSeenSince=lately", "name=x",
        ] {
          #expect(try await world.call("GET", "\(path)/identities?\(query)").status == 422, "\(query)")
        }
      }
    }

    @Test("identities that were not seen for a while; who was never seen counts from its making")
    func notSeen() async throws {
      try await World.with { world in
        let path = try await world.organization()
        for name in ["never", "lately", "long-ago"] { _ = try await world.identity(path, name) }
        let keys = try await world.texts("SELECT concat(organization_id, ' ', id) FROM identity ORDER BY id")
          .map { text in
            text.split(separator: " ").compactMap { Int64($0) }
          }
        let sightings = StoreSightings(world.client)
        func see(_ place: Int, _ age: Int64) async throws {
          try await sightings.write([TenantKey(Key(keys[place][0]), Key(keys[place][1])): age])
        }
        try await see(1, 60)
        try await see(2, 40 * 86_400)
        // A later one stays.
        try await see(1, 20 * 86_400)
        let now = try #require(
          try await world.texts("SELECT extract(epoch FROM now())::bigint::text").first.flatMap { Int64($0) })
        for (age, names) in [
          (-60, ["never", "lately", "long-ago"]), (3600, ["long-ago"]), (50 * 86_400, []),
        ] {
          let time = Timestamp(microsecondsSince1970: (now - Int64(age)) * 1_000_000)
          let answer = try await world.call("GET", "\(path)/identities?notSeenSince=\(time)").expect(200)
          #expect(self.names(answer) == names, "\(age)")
        }
        let never = try await world.call("GET", "\(path)/identities/never").expect(200)
        #expect(never.json["lastSeenAt"] == .null)
        let seen = try await world.call("PATCH", "\(path)/identities/lately", #"{"metadata":{}}"#).expect(200)
        let time = try #require(Timestamp(seen["lastSeenAt"]))
        #expect((now - 120...now).contains(time.microsecondsSince1970 / 1_000_000))
        #expect(
          try await world.call("GET", "\(path)/identities/lately").expect(200)["lastSeenAt"]
            == seen["lastSeenAt"])
      }
    }

    @Test("the pages of a narrowed list follow each other, and its cursor is good for no other")
    func pages() async throws {
      try await World.with { world in
        let path = try await world.organization()
        for index in 1...5 { _ = try await world.identity(path, index == 3 ? "pc" : "mac-\(index)") }
        let first = try await world.call("GET", "\(path)/identities?q=mac&limit=3").expect(200)
        let cursor = try #require(first.next)
        let second = try await world.call("GET", "\(path)/identities?q=mac&limit=3&cursor=\(cursor)").expect(
          200)
        #expect(names(first) + names(second) == ["mac-1", "mac-2", "mac-4", "mac-5"])
        #expect(try await world.call("GET", "\(path)/identities?cursor=\(cursor)").status == 422)
      }
    }

    @Test("a search that finds nothing for long says where it goes on, and finds it there")
    func far() async throws {
      try await World.with { world in
        let path = try await world.organization()
        try await world.run(
          """
          INSERT INTO identity (organization_id, public_id, name, external_id)
            SELECT o.id, gen_random_uuid(), CASE n WHEN 60001 THEN 'needle' ELSE 'hay-' || n END, 'e-' || n
            FROM organization o, generate_series(1, 60001) n
          """)
        var (found, pages, cursor) = ([String](), 0, "")
        while true {
          let page = try await world.call("GET", "\(path)/identities?q=NEEDLE\(cursor)").expect(200)
          (found, pages) = (found + names(page), pages + 1)
          guard let next = page.next else { break }
          cursor = "&cursor=\(next)"
        }
        #expect(found == ["needle"] && pages == 3)
        // Whole pages come whole, and the vendor's id is found at once.
        let first = try await world.call("GET", "\(path)/identities?q=hay&limit=7").expect(200)
        #expect(names(first).count == 7 && first.next != nil)
        let last = try await world.call("GET", "\(path)/identities?externalId=e-60001&status=active").expect(
          200)
        #expect(names(last) == ["needle"] && last.next == nil)
      }
    }

    @Test("licenses, by product, status, the vendor's id and their end")
    func licenses() async throws {
      try await World.with { world in
        let path = try await world.organization()
        try await world.call("POST", "/v1/products", #"{"code":"other","name":"Other"}"#).expect(201)
        let ending = try await world.license(
          path, #""model":"floating","seats":1,"expiresAt":"2030-01-01T00:00:00Z","externalId":"sub-1""#)
        try await world.call(
          "POST", "\(path)/licenses", #"{"product":"other","model":"named","seats":1}"#
        ).expect(201)
        try await world.call("PATCH", ending, #"{"status":"suspended"}"#).expect(200)
        let expected = [
          "product=studio": ["studio"], "product=none": [], "status=suspended": ["studio"],
          "status=active": ["other"], "externalId=sub-1": ["studio"],
          "expiresBefore=2030-01-01T00:00:01Z": ["studio"], "expiresBefore=2030-01-01T00:00:00Z": [],
        ]
        for (query, codes) in expected {
          let answer = try await world.call("GET", "\(path)/licenses?\(query)").expect(200)
          #expect(names(answer, "product") == codes, "\(query)")
        }
        #expect(try await world.call("GET", "\(path)/licenses?product=a%20b").status == 422)
      }
    }

    @Test("organizations and products, by text and the vendor's id; who is no operator finds its own only")
    func vendor() async throws {
      try await World.with { world in
        let path = try await world.organization()
        try await world.organization("beta")
        let viewer = try await world.token("viewer", of: path)
        #expect(names(try await world.call("GET", "/v1/organizations?q=ACM"), "slug") == ["acme"])
        #expect(names(try await world.call("GET", "/v1/organizations?q=b", as: viewer), "slug") == [])
        #expect(names(try await world.call("GET", "/v1/organizations", as: viewer), "slug") == ["acme"])
        for code in ["a1", "a2", "b"] {
          try await world.call(
            "POST", "/v1/products", #"{"code":"\#(code)","name":"N","externalId":"e-\#(code)"}"#
          ).expect(201)
        }
        #expect(names(try await world.call("GET", "/v1/products?q=a"), "code") == ["a1", "a2"])
        #expect(names(try await world.call("GET", "/v1/products?externalId=e-b"), "code") == ["b"])
      }
    }
  }
}
