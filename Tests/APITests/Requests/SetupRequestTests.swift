import HTTP
import JSON
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("The first admin")
  struct SetupRequestTests {
    private static let acme = #"{"slug":"acme","name":"Acme","admin":{"name":"Ann's laptop"}}"#

    private func setUp(_ world: World, _ secret: String, key: String? = nil) async throws -> Answer {
      try await world.call("POST", "/v1/setup", #"{"setupToken":"\#(secret)"}"#, as: "", key: key)
    }

    @Test("a setup token comes with the organization once and becomes an admin's token once")
    func life() async throws {
      try await World.with { world in
        let made = try await world.call("POST", "/v1/organizations", Self.acme).expect(201)
        let setup = made["setupToken"]
        #expect(setup.hasPrefix("usher_setup_"))
        #expect(!(try await world.call("GET", made.location)).text.contains("setupToken"))
        let token = try await setUp(world, setup).expect(201)
        #expect(
          token["role"] == "admin" && token["name"] == "Ann's laptop" && token["organization"] == "acme")
        #expect(token.header(.cacheControl) == "no-store")
        #expect(
          try await world.call("GET", token.location, as: token["token"]).expect(200)["id"] == token["id"])
        let again = try await setUp(world, setup)
        #expect(again.status == 401 && again.code == "token-invalid")
        #expect(try await world.events() == ["organization.created", "setup.created", "token.created"])
      }
    }

    @Test("what is unknown, of another kind, run out or of a deleted organization is one and the same answer")
    func refused() async throws {
      try await World.with { world in
        let made = try await world.call("POST", "/v1/organizations", Self.acme).expect(201)
        let unknown = try await setUp(world, "usher_setup_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
        #expect(unknown.status == 401)
        #expect(try await setUp(world, world.operatorToken).text == unknown.text)
        #expect(try await world.call("GET", made.location, as: made["setupToken"]).status == 401)
        try await world.run("UPDATE setup_token SET expires_at = now()")
        #expect(try await setUp(world, made["setupToken"]).text == unknown.text)
        try await world.run("UPDATE setup_token SET expires_at = now() + interval '1 hour'")
        try await world.call("DELETE", made.location).expect(204)
        #expect(try await setUp(world, made["setupToken"]).text == unknown.text)
        #expect(try await world.call("POST", "/v1/setup", #"{"token":"x"}"#, as: "").status == 422)
      }
    }

    @Test("whoever lost the answer gets it again under the same Idempotency-Key")
    func again() async throws {
      try await World.with { world in
        let made = try await world.call("POST", "/v1/organizations", Self.acme).expect(201)
        let token = try await setUp(world, made["setupToken"], key: "k").expect(201)
        #expect(try await setUp(world, made["setupToken"], key: "k").expect(201).text == token.text)
        #expect(try await setUp(world, made["setupToken"]).status == 401)
      }
    }

    @Test("a malformed admin is refused by its pointer, and no organization is made")
    func malformed() async throws {
      try await World.with { world in
        let answer = try await world.call(
          "POST", "/v1/organizations", #"{"slug":"acme","name":"Acme","admin":{"nam":"x"}}"#)
        #expect(answer.status == 422 && answer.text.contains(#""pointer":"/admin/nam""#))
        #expect(try await world.call("GET", "/v1/organizations").data.isEmpty)
      }
    }
  }
}
