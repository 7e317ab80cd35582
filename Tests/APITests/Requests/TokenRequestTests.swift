import HTTP
import JSON
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("Tokens")
  struct TokenRequestTests {
    @Test("a token is shown once, tells what it is, and is over at once when revoked")
    func life() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let made = try await world.call(
          "POST", "\(path)/tokens", #"{"name":"ci","role":"admin","ttlSeconds":3600}"#
        ).expect(201)
        let token = made["token"]
        #expect(token.hasPrefix("usher_org_") && made["organization"] == "acme" && made["expiresAt"] != "")
        let own = try await world.call("GET", "/v1/token", as: token).expect(200)
        #expect(own["id"] == made["id"] && own["role"] == "admin" && own["token"] == "")
        #expect(!(try await world.call("GET", "\(path)/tokens")).text.contains(token))
        #expect(try await world.call("GET", made.location, as: token).status == 200)
        try await world.call("DELETE", made.location).expect(204)
        let over = try await world.call("GET", "/v1/token", as: token)
        #expect(over.status == 401 && over.code == "token-invalid")
        #expect(over.header(.wwwAuthenticate) == #"Bearer error="invalid_token""#)
      }
    }

    @Test("a rotated token has a new secret and no old one")
    func rotation() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let made = try await world.call("POST", "\(path)/tokens", #"{"name":"ci","role":"viewer"}"#).expect(
          201)
        let rotated = try await world.call("POST", "\(made.location)/rotate").expect(200)
        #expect(rotated["id"] == made["id"] && rotated["token"] != made["token"])
        #expect(try await world.call("GET", "/v1/token", as: made["token"]).status == 401)
        #expect(try await world.call("GET", "/v1/token", as: rotated["token"]).status == 200)
        #expect(try await world.events() == ["organization.created", "token.created", "token.rotated"])
      }
    }

    @Test("operators' tokens are made by operators, and their roles do not mix with an organization's")
    func operators() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let made = try await world.call("POST", "/v1/tokens", #"{"name":"second"}"#).expect(201)
        #expect(made["role"] == "operator" && made["token"].hasPrefix("usher_op_"))
        #expect(try await world.call("GET", "/v1/tokens", as: made["token"]).data.count == 2)
        #expect(try await world.call("POST", "/v1/tokens", #"{"name":"x","role":"admin"}"#).status == 422)
        #expect(
          try await world.call("POST", "\(path)/tokens", #"{"name":"x","role":"operator"}"#).status == 422)
        #expect(try await world.call("POST", "\(path)/tokens", #"{"name":"x"}"#).status == 422)
        let admin = try await world.token("admin", of: path)
        #expect(try await world.call("GET", "/v1/tokens", as: admin).status == 403)
        #expect(try await world.call("DELETE", made.location, as: admin).status == 404)
        try await world.call("DELETE", made.location).expect(204)
      }
    }

    @Test("the tokens of a deleted organization are over")
    func deletedOrganization() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let admin = try await world.token("admin", of: path)
        #expect(try await world.call("GET", path, as: admin).status == 200)
        try await world.call("DELETE", path).expect(204)
        #expect(try await world.call("GET", path, as: admin).status == 401)
      }
    }
  }
}
