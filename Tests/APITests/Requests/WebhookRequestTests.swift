import HTTP
import JSON
import Licensing
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("Webhooks over HTTP")
  struct WebhookRequestTests {
    @Test("one is made with a secret that is shown once and stored sealed, changed, rotated and deleted")
    func life() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let body = #"{"url":"https://hooks.example/usher","types":["seat.*","token.created"]}"#
        let made = try await world.call("POST", "\(path)/webhooks", body).expect(201)
        #expect(made["secret"].hasPrefix("whsec_") && made["secret"].utf8.count == 50)
        #expect(made.json["types"] == .array([.string("seat.*"), .string("token.created")]))
        let read = try await world.call("GET", made.location).expect(200)
        #expect(read["secret"] == "" && read["status"] == "active" && read.entityTag == made.entityTag)
        let isSealed = try await world.texts("SELECT octet_length(sealed_secret)::text FROM webhook")
        #expect(isSealed.first.flatMap { Int($0) }.map { $0 > 32 } == true)

        let rotated = try await world.call("POST", "\(made.location)/rotate").expect(200)
        #expect(rotated["secret"] != made["secret"])
        let changed = try await world.call(
          "PATCH", made.location, #"{"status":"suspended","types":[]}"#, ifMatch: rotated.entityTag
        ).expect(200)
        #expect(changed["status"] == "suspended" && changed.json["types"] == .array([]))
        let stale = try await world.call("PATCH", made.location, "{}", ifMatch: made.entityTag)
        #expect(stale.status == 412)
        #expect(try await world.call("GET", "\(path)/webhooks").expect(200).data.count == 1)
        try await world.call("POST", "\(made.location)/test").expect(204)
        try await world.call("POST", "\(made.location)/replay", #"{"from":1}"#).expect(200)
        #expect(try await world.call("GET", "\(made.location)/dead-letters").expect(200).data.isEmpty)
        try await world.call("DELETE", made.location).expect(204)
        #expect(try await world.call("GET", made.location).status == 404)
        #expect(try await world.call("GET", "\(path)/webhooks").data.isEmpty)
        #expect(
          try await world.events().suffix(6) == [
            "webhook.created", "webhook.rotated", "webhook.updated", "webhook.tested", "webhook.replayed",
            "webhook.deleted",
          ])
      }
    }

    @Test("what leads nowhere is refused")
    func refusals() async throws {
      try await World.with { world in
        let path = try await world.organization()
        for url in ["http://hooks.example/", "ftp://x.example/", "https://", "https://a b/", "x"] {
          let answer = try await world.call("POST", "\(path)/webhooks", #"{"url":"\#(url)"}"#)
          #expect(answer.status == 422, "\(url): \(answer.text)")
        }
        for types in [#"["*"]"#, #"["seat"]"#, #"[""]"#, "7"] {
          let body = #"{"url":"https://hooks.example/","types":\#(types)}"#
          #expect(try await world.call("POST", "\(path)/webhooks", body).status == 422, "\(types)")
        }
      }
    }
  }
}
