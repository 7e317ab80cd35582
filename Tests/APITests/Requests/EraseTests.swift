import HTTP
import Issuance
import JSON
import Licensing
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("A person erased")
  struct EraseTests {
    private static let body =
      #"{"name":"ann","externalId":"hr-ann","attributes":{"mail":"ann@x"},"metadata":{"n":"ann"}}"#

    /// Everything in the database that still says `ann`.
    private func traces(_ world: World) async throws -> [String] {
      try await world.texts(
        """
        SELECT 'identity ' || i::text FROM identity i WHERE i::text ~* 'ann'
        UNION ALL SELECT 'event ' || e::text FROM event e WHERE e::text ~* 'ann'
        UNION ALL SELECT 'enrollment ' || n::text FROM enrollment n WHERE n::text ~* 'ann'
        UNION ALL SELECT 'certificate ' || c.id FROM certificate c WHERE c.der <> ''
        """)
    }

    @Test(
      "nothing that names it is left, its certificates stay revoked, and the trail still tells of its ids")
    func erase() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let made = try await world.call("POST", "\(path)/identities", Self.body).expect(201)
        let id = try #require(Identifier(made["id"]))
        let authority = try await world.authority(of: .example, seed: 7)
        try await world.certificate(of: id, from: authority, serial: "0a", seed: 7)
        try await world.call("POST", "\(path)/enrollments", #"{"identity":"ann","externalId":"for-ann"}"#)
          .expect(201)
        #expect(try await traces(world).count == 3)
        try await world.call("DELETE", "\(made.location)?erase=true").expect(204)
        #expect(try await traces(world) == [])
        let events = try await world.call("GET", "\(path)/events?identity=\(id)").expect(200).data
        #expect(
          events.map { $0["type"] } == [
            .string("identity.created"), .string("enrollment.created"), .string("identity.deleted"),
            .string("identity.erased"),
          ])
        #expect(try await world.texts("SELECT status || ' ' || serial FROM certificate") == ["2 0a"])
        // The name is free again, and erasing again finds nobody.
        try await world.call("POST", "\(path)/identities", Self.body).expect(201)
        #expect(try await world.call("DELETE", "\(made.location)?erase=true").status == 404)
      }
    }

    @Test("who was deleted before can be erased by id, and without asking nobody is")
    func later() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let made = try await world.call("POST", "\(path)/identities", Self.body).expect(201)
        #expect(try await world.call("DELETE", "\(made.location)?erase=maybe").status == 422)
        try await world.call("DELETE", "\(made.location)?erase=false").expect(204)
        #expect(try await traces(world).count == 1)
        #expect(try await world.call("DELETE", made.location).status == 404)
        #expect(try await world.call("DELETE", "\(path)/identities/ann?erase=true").status == 404)
        let foreign = try await world.organization("beta")
        let elsewhere = "\(foreign)/identities/\(made["id"])?erase=true"
        #expect(try await world.call("DELETE", elsewhere).status == 404)
        try await world.call("DELETE", "\(path)/identities/\(made["id"])?erase=true").expect(204)
        #expect(try await traces(world) == [])
      }
    }

    @Test("a certificate's encoding can be emptied once it is revoked, and nothing else of it changed")
    func pinned() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let made = try await world.call("POST", "\(path)/identities", Self.body).expect(201)
        let id = try #require(Identifier(made["id"]))
        let authority = try await world.authority(of: .example, seed: 7)
        try await world.certificate(of: id, from: authority, serial: "0a", seed: 7)
        await #expect(throws: (any Error).self) { try await world.run("UPDATE certificate SET der = ''") }
        try await world.run("UPDATE certificate SET status = 2, revoked_at = now(), reason = 1")
        for change in [
          "der = 'x'", "der = '', reason = 0", "der = '', serial = '0b'",
          "der = '', status = 1, revoked_at = NULL",
          "reason = 5",
        ] {
          await #expect(throws: (any Error).self, "\(change)") {
            try await world.run("UPDATE certificate SET \(change)")
          }
        }
        try await world.run("UPDATE certificate SET der = ''")
      }
    }
  }
}
