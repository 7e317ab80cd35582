import HTTP
import JSON
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("Licenses by the vendor's own id")
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
            "license.updated",
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

    @Test("of many at once one makes it")
    func race() async throws {
      try await World.with { world in
        let path = try await world.organization()
        try await world.call("POST", "/v1/products", #"{"code":"studio","name":"S"}"#).expect(201)
        let target = "\(path)/licenses/by-external-id/sub-17"
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<8 { group.addTask { try await world.call("PUT", target, Self.terms).status } }
          return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 201 }.count == 1 && statuses.filter { $0 == 200 }.count == 7)
      }
    }
  }
}
