import HTTP
import JSON
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("Many requests in one")
  struct BulkTests {
    private func send(
      _ world: World, _ lines: [String], as token: String? = nil, key: String? = nil,
      type: String = "application/x-ndjson"
    ) async throws -> (answer: Answer, lines: [JSONValue]) {
      var headers = [
        HeaderField(.authorization, "Bearer \(token ?? world.operatorToken)"),
        HeaderField(.contentType, type),
      ]
      if let key { headers.append(HeaderField(.idempotencyKey, key)) }
      let request = try Request(
        "POST", "/v1/bulk", headers: headers, body: Array(lines.joined(separator: "\n").utf8))
      let answer = Answer(await world.admin.respond(to: request, from: nil))
      let results = try answer.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
      return (answer, results)
    }

    @Test("each line is carried out and answered on its own, whatever the others are")
    func lines() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let tag = try await world.call("GET", path).entityTag
        let (answer, results) = try await send(
          world,
          [
            #"{"method":"POST","path":"\#(path)/identities","body":{"name":"a"}}"#, "",
            #"{"method":"POST","path":"\#(path)/identities","body":{"name":"a"}}"#, "nonsense",
            #"{"method":"GET","path":"\#(path)"}"#, #"{"method":"POST","path":"/v1/bulk"}"#,
            #"{"method":"PATCH","path":"\#(path)","body":{"name":"B"},"ifMatch":"\"99\""}"#,
            #"{"method":"PATCH","path":"\#(path)","body":{"name":"B"},"ifMatch":\#(quoted(tag))}"#,
            #"{"method":"DELETE","path":"\#(path)/identities/a"}"#, #"{"method":"PUT","path":"/v1/nothing"}"#,
          ])
        try answer.expect(200)
        #expect(answer.header(.contentType) == "application/x-ndjson")
        #expect(results.map { $0["line"] } == [1, 3, 4, 5, 6, 7, 8, 9, 10].map { .integer($0) })
        #expect(
          results.map { $0["status"] }
            == [201, 409, 400, 422, 422, 412, 200, 204, 404].map { .integer($0) })
        #expect(results[0]["body"]?["name"] == .string("a") && results[0]["location"] != nil)
        #expect(results[1]["body"]?["code"] == .string("already-exists"))
        #expect(results[6]["body"]?["name"] == .string("B") && results[7]["body"] == nil)
      }
    }

    @Test("a line may do what its bringer may, and a foreign organization is unknown there too")
    func roles() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let foreign = try await world.organization("beta")
        let viewer = try await world.token("viewer", of: path)
        let lines = [path, foreign, "/v1/organizations/none"].map {
          #"{"method":"POST","path":"\#($0)/identities","body":{"name":"a"}}"#
        }
        let (_, results) = try await send(world, lines, as: viewer)
        #expect(results.map { $0["status"] } == [403, 404, 404].map { .integer($0) })
        #expect(results[1]["body"] == results[2]["body"])
        let nobody = try await send(world, lines, as: "").answer
        #expect(nobody.status == 401)
      }
    }

    @Test("sent again under its key, nothing is done twice and what failed is tried again")
    func again() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let lines = ["a", "b"].map {
          #"{"method":"POST","path":"\#(path)/tokens","body":{"name":"\#($0)","role":"viewer"}}"#
        }
        let first = try await send(world, lines, key: "import-1").lines
        let second = try await send(world, lines + lines, key: "import-1").lines
        #expect(second.prefix(2).map { $0["body"] } == first.map { $0["body"] })
        #expect(second.map { $0["replayed"] } == [.boolean(true), .boolean(true), nil, nil])
        #expect(try await world.call("GET", "\(path)/tokens").data.count == 4)
      }
    }

    @Test("a line that names itself is done once, wherever it stands and under whichever key the whole comes")
    func named() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let lines = ["a", "b", "c"].map {
          #"{"method":"POST","path":"\#(path)/tokens","body":{"name":"\#($0)","role":"viewer"},"idempotencyKey":"line-\#($0)"}"#
        }
        let first = try await send(world, [lines[0], lines[1]]).lines
        let second = try await send(world, [lines[2], lines[1], lines[0]], key: "another").lines
        #expect(second.map { $0["replayed"] } == [nil, .boolean(true), .boolean(true)])
        #expect(second[1]["body"] == first[1]["body"] && second[2]["body"] == first[0]["body"])
        #expect(try await world.call("GET", "\(path)/tokens").data.count == 3)
        let bad = try await send(world, [lines[0].replacing("line-a", with: "l n")]).lines
        #expect(bad[0]["status"] == .integer(422))
      }
    }

    @Test("what is no such body is refused as a whole")
    func refused() async throws {
      try await World.with { world in
        let other = try await send(world, ["{}"], type: "application/json").answer
        let long = try await send(world, [String](repeating: "{}", count: 1001)).answer
        let empty = try await send(world, []).answer
        #expect([other.status, long.status, empty.status] == [415, 413, 200] && empty.text == "")
      }
    }

    private func quoted(_ text: String) -> String {
      var writer = JSONWriter()
      writer.value(text)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }
}
