import HTTP
import Issuance
import JSON
import Licensing
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("Resources by the vendor's own id")
  struct UpsertTests {
    private static let terms = #"{"product":"studio","model":"floating","seats":2}"#

    @Test("the first time makes it, the same again changes nothing but is welcome, another one changes it")
    func life() async throws {
      try await World.with { world in
        let path = try await world.organization()
        try await world.call("POST", "/v1/products", #"{"code":"studio","name":"S"}"#).expect(201)
        let target = "\(path)/licenses/by-external-id/sub%2F17"
        let made = try await world.call("PUT", target, Self.terms).expect(201)
        #expect(made["externalId"] == "sub/17" && made.location == "\(path)/licenses/\(made["id"])")
        let again = try await world.call("PUT", target, Self.terms).expect(200)
        #expect(again["id"] == made["id"])
        let more = try await world.call(
          "PUT", target, #"{"seats":5,"externalId":"sub/17"}"#, ifMatch: again.entityTag
        ).expect(200)
        #expect(more.json["seats"] == .integer(5) && more["id"] == made["id"])
        let late = try await world.call("PUT", target, #"{"seats":6}"#, ifMatch: again.entityTag)
        #expect(late.status == 412)
        #expect(try await world.call("GET", "\(path)/licenses?externalId=sub/17").data.count == 1)
        #expect(
          try await world.events() == [
            "organization.created", "product.created", "license.created", "license.updated",
          ])
      }
    }

    @Test("what cannot be changed is told, and what is missing in a new one")
    func refused() async throws {
      try await World.with { world in
        let path = try await world.organization()
        try await world.call("POST", "/v1/products", #"{"code":"studio","name":"S"}"#).expect(201)
        let target = "\(path)/licenses/by-external-id/sub-17"
        let missing = try await world.call("PUT", target, #"{"seats":1}"#)
        #expect(missing.status == 422 && missing.text.contains("/product"))
        let foreign = try await world.call(
          "PUT", target, #"{"product":"studio","model":"floating","seats":1,"externalId":"x"}"#)
        #expect(foreign.status == 422 && foreign.text.contains("/externalId"))
        try await world.call("PUT", target, Self.terms).expect(201)
        for body in [#"{"model":"named"}"#, #"{"product":"other"}"#, #"{"externalId":null}"#, #"{"x":1}"#] {
          #expect(try await world.call("PUT", target, body).status == 422, "\(body)")
        }
        _ = try await world.identity(path, "mac-1")
        let id = try await world.call("GET", "\(path)/licenses").data[0]["id"]
        guard case .string(let id) = id else { return #expect(Bool(false)) }
        try await world.call("PUT", "\(path)/licenses/\(id)/seats/mac-1").expect(201)
        #expect(try await world.call("PUT", target, #"{"seats":0}"#).code == "seats-in-use")
        try await world.call("PUT", "\(target)?mode=drain", #"{"seats":0}"#).expect(200)
      }
    }

    /// Below `/v1`: what makes it, what changes it and what cannot be.
    private static let cases: [(collection: String, made: String, changed: String, refused: String)] = [
      (
        "organizations", #"{"slug":"beta","name":"Beta"}"#, #"{"slug":"beta","name":"B"}"#,
        #"{"slug":"gamma"}"#
      ),
      (
        "products", #"{"code":"studio","name":"S"}"#, #"{"name":"Studio","metadata":{"a":"b"}}"#,
        #"{"code":"x"}"#
      ),
      ("organizations/acme/identities", #"{"name":"mac-1"}"#, #"{"role":"admin"}"#, #"{"name":"mac-2"}"#),
      (
        "organizations/acme/identities", #"{"name":"mac-1","external":\#(Self.external)}"#,
        #"{"attributes":{"a":"b"},"external":\#(Self.external)}"#,
        #"{"external":\#(Self.external.replacing("laptop-7", with: "laptop-8"))}"#
      ),
    ]
    private static let external = #"{"authority":"AUTHORITY","field":"subject-cn","value":"laptop-7"}"#

    @Test(
      "organizations, products and identities too; what is as the body says is not written again",
      arguments: cases)
    func others(collection: String, made: String, changed: String, refused: String) async throws {
      try await World.with { world in
        try await world.organization()
        let authority = try await world.authority(of: .example, seed: 7)
        func put(_ body: String, ifMatch: String? = nil) async throws -> Answer {
          try await world.call(
            "PUT", "/v1/\(collection)/by-external-id/crm%2F1",
            body.replacing("AUTHORITY", with: authority.record.id.description), ifMatch: ifMatch)
        }
        let first = try await put(made).expect(201)
        #expect(first["externalId"] == "crm/1" && first.location.hasPrefix("/v1/\(collection)/"))
        try await world.call("GET", first.location).expect(200)
        let events = try await world.events().count
        let again = try await put(made).expect(200)
        #expect(again["id"] == first["id"] && again.entityTag == first.entityTag)
        #expect(try await world.events().count == events)
        let after = try await put(changed, ifMatch: again.entityTag).expect(200)
        #expect(after["id"] == first["id"] && after.entityTag != first.entityTag)
        #expect(try await world.events().count == events + 1)
        #expect(try await put(changed, ifMatch: again.entityTag).status == 412)
        for body in [refused, #"{"externalId":"crm/2"}"#, #"{"admin":{"name":"Ann"}}"#] {
          #expect(try await put(body).status == 422, "\(body)")
        }
        let listed = try await world.call("GET", "/v1/\(collection)?externalId=crm/1").expect(200)
        #expect(listed.data.count == 1)
      }
    }

    @Test(
      "of many at once one makes it",
      arguments: [
        ("organizations/acme/licenses", Self.terms), ("organizations", #"{"slug":"beta","name":"Beta"}"#),
        ("products", #"{"code":"editor","name":"E"}"#),
        ("organizations/acme/identities", #"{"name":"mac-1"}"#),
      ])
    func race(collection: String, body: String) async throws {
      try await World.with { world in
        try await world.organization()
        try await world.call("POST", "/v1/products", #"{"code":"studio","name":"S"}"#).expect(201)
        let target = "/v1/\(collection)/by-external-id/sub-17"
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<8 { group.addTask { try await world.call("PUT", target, body).status } }
          return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 201 }.count == 1 && statuses.filter { $0 == 200 }.count == 7)
      }
    }
  }
}
