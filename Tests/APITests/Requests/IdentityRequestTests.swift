import HTTP
import Issuance
import JSON
import Licensing
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("Identities, certificates and enrollments")
  struct IdentityRequestTests {
    @Test("an identity is made, found by name and by id, suspended, and leaves its name when deleted")
    func life() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let made = try await world.call(
          "POST", "\(path)/identities", #"{"name":"spiffe://acme/mac 1","role":"admin"}"#)
        #expect(made.status == 422)
        let identity = try await world.call(
          "POST", "\(path)/identities", #"{"name":"mac:1@acme/x","role":"admin","attributes":{"os":"macOS"}}"#
        ).expect(201)
        let byName = try await world.call("GET", "\(path)/identities/mac%3A1%40acme%2Fx").expect(200)
        #expect(byName.response.body == (try await world.call("GET", identity.location)).response.body)
        let suspended = try await world.call(
          "PATCH", identity.location, #"{"status":"suspended","role":"device"}"#)
        #expect(suspended["status"] == "suspended" && suspended["role"] == "device")
        #expect(try await world.call("PATCH", identity.location, #"{"name":"b"}"#).status == 422)
        #expect(
          try await world.call("POST", "\(path)/identities", #"{"name":"mac:1@acme/x"}"#).code
            == "already-exists")
        try await world.call("DELETE", identity.location).expect(204)
        #expect(try await world.call("GET", identity.location).status == 404)
        #expect(try await world.call("DELETE", identity.location).status == 404)
        try await world.call("POST", "\(path)/identities", #"{"name":"mac:1@acme/x"}"#).expect(201)
      }
    }

    @Test("an external name belongs to an external authority, and its tombstone keeps it")
    func external() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let authority = try await world.authority(of: .example, seed: 1)
        func create(_ name: String, _ authority: String, _ value: String = "spiffe://acme/1") async throws
          -> Answer
        {
          try await world.call(
            "POST", "\(path)/identities",
            #"{"name":"\#(name)","external":{"authority":"\#(authority)","field":"san-uri","value":"\#(value)"}}"#
          )
        }
        let made = try await create("a", authority.record.id.description).expect(201)
        #expect(made.json["external"]?["value"] == .string("spiffe://acme/1"))
        let taken = try await create("b", authority.record.id.description)
        #expect(taken.status == 409 && taken.text.contains(#""pointer":"/external""#))
        try await world.call("DELETE", made.location).expect(204)
        #expect(try await create("b", authority.record.id.description).status == 409)
        #expect(try await create("b", made["id"]).text.contains(#""pointer":"/external/authority""#))
      }
    }

    @Test(
      "a certificate is revoked by fingerprint or serial, twice without harm, and never by an ambiguous serial"
    )
    func certificates() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let location = try await world.identity(path, "mac-1")
        let identity = try #require(Identifier(World.last(location)))
        for (index, serial) in [(1, "0abc"), (2, "0abc"), (3, "ff")] {
          let authority = try await world.authority(of: .example, seed: UInt8(index))
          try await world.certificate(of: identity, from: authority, serial: serial, seed: UInt8(index))
        }
        let listed = try await world.call("GET", "\(path)/identities/mac-1/certificates").expect(200)
        #expect(listed.data.map { $0["serialNumber"] } == [.string("0abc"), .string("0abc"), .string("ff")])

        let ambiguous = try await world.call("POST", "\(path)/certificates/0A:BC/revoke")
        #expect(ambiguous.status == 409 && ambiguous.code == "serial-ambiguous")
        let fingerprint = Array(repeating: "01", count: 32).joined(separator: ":")
        let revoked = try await world.call(
          "POST", "\(path)/certificates/\(fingerprint)/revoke", #"{"reason":"keyCompromise"}"#
        ).expect(200)
        #expect(
          revoked["status"] == "revoked" && revoked["reason"] == "keyCompromise" && revoked["revokedAt"] != ""
        )
        let again = try await world.call("POST", "\(path)/certificates/\(fingerprint)/revoke").expect(200)
        #expect(again.response.body == revoked.response.body)
        try await world.call("POST", "\(path)/certificates/FF/revoke").expect(200)
        #expect(try await world.call("POST", "\(path)/certificates/FE/revoke").status == 404)
        #expect(
          try await world.call("POST", "\(path)/certificates/ff/revoke", #"{"reason":"bored"}"#).status == 422
        )
        #expect(try await world.events().filter { $0 == "certificate.revoked" }.count == 2)
      }
    }

    @Test("an enrollment's token is shown once, and an unknown identity is made for it")
    func enrollments() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let license = try await world.license(path)
        let id = World.last(license)
        let made = try await world.call(
          "POST", "\(path)/enrollments", #"{"identity":"mac-1","license":"\#(id)","ttlSeconds":60}"#
        ).expect(201)
        #expect(made["token"].hasPrefix("usher_enroll_") && made["status"] == "open")
        #expect(made["identity"] == "mac-1" && made["license"] == id)
        let read = try await world.call("GET", made.location).expect(200)
        #expect(!read.text.contains("token") && read.json["uses"] == .integer(1))
        #expect(try await world.call("GET", "\(path)/identities/mac-1").status == 200)
        try await world.call("POST", "\(path)/enrollments", #"{"identity":"mac-1","uses":5}"#).expect(201)
        try await world.call("POST", "\(path)/enrollments", "{}").expect(201)
        #expect(try await world.call("POST", "\(path)/enrollments", #"{"identity":"a@b"}"#).status == 422)
        #expect(
          try await world.call("POST", "\(path)/enrollments", #"{"license":"\#(made["id"])"}"#).text
            .contains(#""pointer":"/license""#))
        try await world.call("DELETE", made.location).expect(204)
        #expect(try await world.call("DELETE", made.location).status == 404)
        let list = try await world.call("GET", "\(path)/enrollments").expect(200)
        #expect(list.data.map { $0["status"] } == [.string("open"), .string("open")])
        #expect(try await world.events().filter { $0 == "enrollment.revoked" }.count == 1)
      }
    }

    @Test("enrollments made at once for one unknown name are for one identity")
    func parallelEnrollments() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 1...8 {
            group.addTask {
              try await world.call("POST", "\(path)/enrollments", #"{"identity":"mac-1"}"#).status
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [Int](repeating: 201, count: 8))
        #expect(try await world.call("GET", "\(path)/identities").data.count == 1)
        #expect(try await world.events().filter { $0 == "identity.created" }.count == 1)
      }
    }
  }
}
