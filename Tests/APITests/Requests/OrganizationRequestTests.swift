import HTTP
import JSON
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("Organizations and products")
  struct OrganizationRequestTests {
    @Test(
      "terms of certificates that are null are as absent in what makes an organization, and not in what changes it"
    )
    func nullTerms() async throws {
      try await World.with { world in
        let names = ["validitySeconds", "renewBeforeSeconds", "overlapSeconds", "keyTypes", "subject"]
        let terms = "{" + names.map { #""\#($0)":null"# }.joined(separator: ",") + "}"
        let plain = try await world.call("POST", "/v1/organizations", #"{"slug":"one","name":"One"}"#)
          .expect(201)
        let made = try await world.call(
          "POST", "/v1/organizations", #"{"slug":"two","name":"Two","certificates":\#(terms)}"#
        ).expect(201)
        #expect(made.json["certificates"] == plain.json["certificates"])
        let refused = try await world.call("PATCH", made.location, #"{"certificates":{"subject":null}}"#)
        #expect(refused.status == 422)
      }
    }

    @Test("an organization is made, read, changed under its ETag, and deleted")
    func life() async throws {
      try await World.with { world in
        let made = try await world.call(
          "POST", "/v1/organizations",
          #"{"slug":"acme","name":"Acme","contactUrl":"https://acme.example/it","externalId":"crm-1","metadata":{"tier":"gold"}}"#
        ).expect(201)
        #expect(made.location == "/v1/organizations/acme")
        #expect(made["status"] == "active" && made["externalId"] == "crm-1")
        let read = try await world.call("GET", made.location).expect(200)
        #expect(read.response.body == made.response.body && read.entityTag == made.entityTag)

        let suspended = try await world.call(
          "PATCH", made.location, #"{"status":"suspended","contactUrl":null}"#, ifMatch: made.entityTag
        ).expect(200)
        #expect(suspended["status"] == "suspended" && suspended.json["contactUrl"] == .null)
        #expect(suspended["name"] == "Acme" && suspended.json["metadata"]?["tier"] == .string("gold"))
        #expect(suspended.entityTag != made.entityTag)
        let late = try await world.call("PATCH", made.location, #"{"name":"B"}"#, ifMatch: made.entityTag)
        #expect(late.status == 412 && late.code == "precondition-failed")

        try await world.call("DELETE", made.location).expect(204)
        #expect(try await world.call("GET", made.location).status == 404)
        #expect(try await world.call("GET", "/v1/organizations").data.isEmpty)
        #expect(
          try await world.events() == [
            "organization.created", "organization.updated", "organization.deleted",
          ])
        #expect(world.settled.value == 3)
      }
    }

    @Test("a slug that is taken is refused by its pointer, and free again when its organization is deleted")
    func taken() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let again = try await world.call("POST", "/v1/organizations", #"{"slug":"acme","name":"B"}"#)
        #expect(again.status == 409 && again.code == "already-exists")
        #expect(again.text.contains(#""pointer":"/slug""#))
        try await world.call("DELETE", path).expect(204)
        try await world.call("POST", "/v1/organizations", #"{"slug":"acme","name":"B"}"#).expect(201)
      }
    }

    @Test("an organization that holds seats cannot be deleted")
    func inUse() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let license = try await world.license(path)
        _ = try await world.identity(path, "mac-1")
        try await world.call("PUT", "\(license)/seats/mac-1").expect(201)
        let refused = try await world.call("DELETE", path)
        #expect(refused.status == 409 && refused.code == "organization-in-use")
        #expect(refused.json["held"] == .integer(1))
        try await world.call("DELETE", "\(license)/seats/mac-1").expect(204)
        try await world.call("DELETE", path).expect(204)
      }
    }

    @Test("what is no field of an organization, or cannot change, is named")
    func strict() async throws {
      try await World.with { world in
        let wrong = try await world.call("POST", "/v1/organizations", #"{"slug":"A B","colour":"red"}"#)
        #expect(wrong.status == 422 && wrong.code == "invalid")
        for pointer in ["/slug", "/name", "/colour"] {
          #expect(wrong.text.contains(#""pointer":"\#(pointer)""#))
        }
        let path = try await world.organization()
        let moved = try await world.call("PATCH", path, #"{"slug":"other"}"#)
        #expect(moved.status == 422 && moved.text.contains("cannot be changed"))
        #expect(try await world.call("PATCH", path, #"{"status":"deleted"}"#).status == 422)
        #expect(try await world.call("PATCH", path, #"{"name":null}"#).status == 422)
      }
    }

    @Test("a product is everyone's to read, and stays while a license is of it")
    func products() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let made = try await world.call(
          "POST", "/v1/products",
          #"{"code":"Studio.2","name":"Studio","features":{"pdf":true,"cores":8,"tier":"pro"}}"#
        ).expect(201)
        #expect(made.location == "/v1/products/Studio.2")
        let viewer = try await world.token("viewer", of: path)
        let read = try await world.call("GET", made.location, as: viewer).expect(200)
        #expect(read.json["features"]?["cores"] == .integer(8))
        #expect(try await world.call("GET", "/v1/products", as: viewer).data.count == 1)
        try await world.call("PATCH", made.location, #"{"features":{"pdf":false}}"#).expect(200)
        try await world.call(
          "POST", "\(path)/licenses", #"{"product":"Studio.2","model":"named","seats":1}"#
        ).expect(201)
        let refused = try await world.call("DELETE", made.location)
        #expect(refused.status == 409 && refused.code == "product-in-use")
        let other = try await world.call("POST", "/v1/products", #"{"code":"other","name":"Other"}"#).expect(
          201)
        try await world.call("DELETE", other.location).expect(204)
        #expect(try await world.call("GET", other.location).status == 404)
      }
    }

    @Test("pages hold each remaining row once while rows are deleted between them")
    func paging() async throws {
      try await World.with { world in
        for index in 1...20 {
          try await world.call("POST", "/v1/products", #"{"code":"p\#(index)","name":"P"}"#).expect(201)
        }
        var codes: [String] = []
        var target: String? = "/v1/products?limit=7"
        while let page = target {
          let answer = try await world.call("GET", page).expect(200)
          codes += answer.data.compactMap { if case .string(let code) = $0["code"] { code } else { nil } }
          if let last = codes.last { try await world.call("DELETE", "/v1/products/\(last)").expect(204) }
          try await world.call("DELETE", "/v1/products/p20")
          target = answer.next.map { "/v1/products?limit=7&cursor=\($0)" }
        }
        #expect(codes == (1...19).map { "p\($0)" })
      }
    }
  }
}
