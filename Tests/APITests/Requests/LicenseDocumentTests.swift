import HTTP
import JSON
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("Reservations, configuration and usage")
  struct LicenseDocumentTests {
    @Test("reservations are one document, replaced under If-Match, and take room")
    func reservations() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let license = try await world.license(path, #""model":"floating","seats":2"#)
        for name in ["a", "b", "c"] { _ = try await world.identity(path, name) }
        let empty = try await world.call("GET", "\(license)/reservations").expect(200)
        #expect(empty.json["identities"] == .array([]))
        let put = try await world.call(
          "PUT", "\(license)/reservations", #"{"identities":["b","a","b"]}"#, ifMatch: empty.entityTag
        ).expect(200)
        #expect(put.json["identities"] == .array([.string("a"), .string("b")]))
        let read = try await world.call("GET", "\(license)/reservations").expect(200)
        #expect(read.entityTag == put.entityTag && read.json == put.json)
        let stale = try await world.call(
          "PUT", "\(license)/reservations", #"{"identities":[]}"#, ifMatch: empty.entityTag)
        #expect(stale.status == 412)
        let usage = try await world.call("GET", license).expect(200).json["usage"]
        #expect(usage?["reserved"] == .integer(2) && usage?["available"] == .integer(0))
        #expect(try await world.call("PUT", "\(license)/seats/c").code == "no-seat-available")
        let full = try await world.call("PUT", "\(license)/reservations", #"{"identities":["a","b","c"]}"#)
        #expect(full.status == 409 && full.code == "no-seat-available")
        let unknown = try await world.call("PUT", "\(license)/reservations", #"{"identities":["a","x"]}"#)
        #expect(unknown.status == 422 && unknown.text.contains(#""pointer":"/identities/1""#))
        #expect(try await world.call("PATCH", license, #"{"seats":1}"#).code == "seats-in-use")
        #expect(try await world.call("GET", "\(license)/reservations").json == put.json)
        try await world.call("DELETE", "\(path)/identities/a").expect(204)
        let left = try await world.call("GET", "\(license)/reservations").expect(200)
        #expect(left.json["identities"] == .array([.string("b")]))
      }
    }

    @Test(
      "configuration is any JSON object of 4 KB, each part for itself",
      arguments: ["", "licenses", "identities"])
    func configuration(kind: String) async throws {
      try await World.with { world in
        let path = try await world.organization()
        let owner =
          switch kind {
          case "licenses": try await world.license(path)
          case "identities": try await world.identity(path, "mac-1")
          default: path
          }
        let empty = try await world.call("GET", "\(owner)/config").expect(200)
        #expect(empty.text == "{}")
        let put = try await world.call(
          "PUT", "\(owner)/config", #"{"server":{"ports":[1,2.5,null]},"on":true}"#, ifMatch: empty.entityTag
        ).expect(200)
        #expect(put.json["server"]?["ports"] == .array([.integer(1), .number(2.5), .null]))
        let read = try await world.call("GET", "\(owner)/config").expect(200)
        #expect(read.json == put.json && read.entityTag == put.entityTag)
        #expect(
          try await world.call("PUT", "\(owner)/config", "{}", ifMatch: empty.entityTag).status == 412)
        for bad in ["[1]", #"{"a":"\u0000"}"#, #"{"a":"\#(String(repeating: "x", count: 4096))"}"#] {
          #expect(try await world.call("PUT", "\(owner)/config", bad).status == 422)
        }
        #expect(try await world.call("PUT", "\(owner)/config", "{").status == 400)
      }
    }

    @Test("usage is told by the minute, with the high-water mark")
    func usage() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let license = try await world.license(path, #""model":"floating","seats":2"#)
        _ = try await world.identity(path, "a")
        let query = "\(path)/usage?license=\(World.last(license))"
        let before = try await world.call("GET", query).expect(200)
        #expect(before.json["highWaterMark"]?["seats"] == .integer(0))
        #expect(before.data.map { $0["peak"] } == [.integer(0)])
        try await world.call("PUT", "\(license)/seats/a").expect(201)
        let after = try await world.call("GET", query).expect(200)
        #expect(after.json["highWaterMark"]?["seats"] == .integer(1))
        #expect(after.data.last?["held"] == .integer(1) && after.data.last?["grants"] == .integer(1))
        let first = try await world.call("GET", "\(query)&limit=1").expect(200)
        #expect(first.data.count == 1 && first["next"] != "")
        for bad in ["?license=x", "", "?license=\(World.last(license))&from=yesterday"] {
          #expect(try await world.call("GET", "\(path)/usage\(bad)").status == 422)
        }
      }
    }
  }
}
