import HTTP
import JSON
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("Licenses and seats")
  struct LicenseRequestTests {
    @Test("a license is made with its defaults, changed, and deleted")
    func life() async throws {
      try await World.with { world in
        let path = try await world.organization()
        try await world.call("POST", "/v1/products", #"{"code":"studio","name":"Studio"}"#).expect(201)
        let made = try await world.call(
          "POST", "\(path)/licenses",
          #"{"product":"studio","model":"floating","seats":2,"expiresAt":"2099-01-01T00:00:00+01:00","features":{"pdf":true}}"#
        ).expect(201)
        #expect(made.json["leaseSeconds"] == .integer(600) && made.json["overdraft"] == .integer(0))
        #expect(made["assignment"] == "manual" && made["expiresAt"] == "2098-12-31T23:00:00Z")
        #expect(made.json["usage"]?["available"] == .integer(2))
        let changed = try await world.call(
          "PATCH", made.location, #"{"seats":3,"expiresAt":null,"metadata":{"po":"17"}}"#,
          ifMatch: made.entityTag
        ).expect(200)
        #expect(changed.json["seats"] == .integer(3) && changed.json["expiresAt"] == .null)
        #expect(changed.json["features"]?["pdf"] == .boolean(true))
        try await world.call("DELETE", made.location).expect(204)
        #expect(try await world.call("GET", made.location).status == 404)
      }
    }

    @Test("terms out of range are refused by pointer")
    func ranges() async throws {
      try await World.with { world in
        let path = try await world.organization()
        try await world.call("POST", "/v1/products", #"{"code":"studio","name":"Studio"}"#).expect(201)
        for (pointer, terms) in [
          ("/product", #""product":"nothing","model":"floating","seats":1"#),
          ("/model", #""product":"studio","model":"elastic","seats":1"#),
          ("/seats", #""product":"studio","model":"floating""#),
          ("/seats", #""product":"studio","model":"floating","seats":1000000001"#),
          ("/leaseSeconds", #""product":"studio","model":"floating","seats":1,"leaseSeconds":0"#),
          ("/leaseSeconds", #""product":"studio","model":"floating","seats":1,"leaseSeconds":2592001"#),
          (
            "/expiresAt",
            #""product":"studio","model":"named","seats":1,"startsAt":"2030-01-01T00:00:00Z","expiresAt":"2029-01-01T00:00:00Z""#
          ),
        ] {
          let refused = try await world.call("POST", "\(path)/licenses", "{\(terms)}")
          #expect(refused.status == 422 && refused.text.contains(#""pointer":"\#(pointer)""#), "\(terms)")
        }
      }
    }

    @Test("a license shrinks below what is held only by draining, and is not deleted while seats are held")
    func shrinking() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let license = try await world.license(path)
        for name in ["a", "b"] {
          _ = try await world.identity(path, name)
          try await world.call("PUT", "\(license)/seats/\(name)").expect(201)
        }
        let refused = try await world.call("PATCH", license, #"{"seats":1}"#)
        #expect(refused.status == 409 && refused.code == "seats-in-use")
        #expect(refused.json["held"] == .integer(2) && refused.json["seats"] == .integer(2))
        #expect(try await world.call("PATCH", "\(license)?mode=force", #"{"seats":1}"#).status == 422)
        #expect(try await world.call("DELETE", license).code == "seats-in-use")
        let drained = try await world.call("PATCH", "\(license)?mode=drain", #"{"seats":1}"#).expect(200)
        #expect(
          drained.json["usage"]?["excess"] == .integer(1)
            && drained.json["usage"]?["available"] == .integer(0))
        try await world.call("DELETE", "\(license)/seats/a").expect(204)
        let left = try await world.call("GET", license).expect(200)
        #expect(left.json["usage"]?["held"] == .integer(1) && left.json["usage"]?["excess"] == .integer(0))
      }
    }

    @Test("a seat is assigned once, listed, refused when all are taken, and free at once")
    func seats() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let license = try await world.license(path, #""model":"named","seats":1"#)
        let first = try await world.identity(path, "mac/1")
        _ = try await world.identity(path, "mac-2")
        let made = try await world.call("PUT", "\(license)/seats/mac%2F1").expect(201)
        #expect(made["identity"] == "mac/1" && made["kind"] == "assigned" && made.json["expiresAt"] == .null)
        let id = World.last(first)
        let again = try await world.call("PUT", "\(license)/seats/\(id)").expect(200)
        #expect(again.json["generation"] == made.json["generation"])
        let seats = try await world.call("GET", "\(license)/seats").expect(200)
        #expect(seats.data.map { $0["identity"] } == [.string("mac/1")])

        let refused = try await world.call("PUT", "\(license)/seats/mac-2")
        #expect(refused.status == 409 && refused.code == "no-seat-available")
        #expect(refused.header(.retryAfter) == "900" && refused.json["held"] == .integer(1))

        let before = world.settled.value
        try await world.call("DELETE", "\(license)/seats/mac%2F1?blockSeconds=60").expect(204)
        #expect(world.settled.value == before + 1)
        try await world.call("DELETE", "\(license)/seats/mac%2F1").expect(204)
        try await world.call("PUT", "\(license)/seats/mac-2").expect(201)
        #expect(try await world.call("DELETE", "\(license)/seats/nobody").status == 404)
        #expect(try await world.call("DELETE", "\(license)/seats/mac-2?blockSeconds=-1").status == 422)
        #expect(
          try await world.events().filter { $0.hasPrefix("seat.") } == [
            "seat.assigned", "seat.freed", "seat.assigned",
          ])
      }
    }

    @Test("a refusal names the organization's contact, and what is not found names nobody's")
    func contact() async throws {
      try await World.with { world in
        let path = try await world.organization()
        try await world.call("PATCH", path, #"{"contactUrl":"https://acme.example/it"}"#).expect(200)
        let license = try await world.license(path, #""model":"named","seats":0"#)
        _ = try await world.identity(path, "mac-1")
        let refused = try await world.call("PUT", "\(license)/seats/mac-1")
        #expect(refused.code == "no-seat-available" && refused["contactUrl"] == "https://acme.example/it")
        #expect(try await world.call("PATCH", license, "{}x")["contactUrl"] == "https://acme.example/it")
        #expect(try await world.call("PUT", "\(license)/seats/mac-2")["contactUrl"] == "")
      }
    }

    @Test("an external id finds nobody else's place")
    func externalIDs() async throws {
      try await World.with { world in
        let acme = try await world.organization()
        let beta = try await world.organization("beta")
        _ = try await world.license(acme, #""model":"floating","seats":1,"externalId":"crm-7""#)
        _ = try await world.license(beta, #""model":"floating","seats":1,"externalId":"crm-7""#)
        let taken = try await world.call(
          "POST", "\(acme)/licenses",
          #"{"product":"studio","model":"floating","seats":1,"externalId":"crm-7"}"#)
        #expect(taken.status == 409 && taken.text.contains(#""pointer":"/externalId""#))
      }
    }
  }
}
