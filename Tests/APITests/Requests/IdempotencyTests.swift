import HTTP
import Issuance
import JSON
import Licensing
import Synchronization
import Testing

@testable import API

extension OverTheDatabase {
  @Suite("Requests that name themselves")
  struct IdempotencyTests {
    /// Commits, and then loses the answer as often as it was told to.
    private final class Losing: UnitsOfWork {
      private let units: any UnitsOfWork
      let losses = Atomic(0)

      init(_ units: any UnitsOfWork) { self.units = units }

      func transact<Result: Sendable>(
        _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
      ) async throws -> Result {
        let result = try await units.transact(body)
        guard losses.load(ordering: .relaxed) > 0 else { return result }
        losses.subtract(1, ordering: .relaxed)
        throw StorageError.outcomeUnknown("the server was killed")
      }

      func read<Result: Sendable>(
        _ body: @Sendable (any IssuanceUnitOfWork) async throws -> Result
      ) async throws -> Result { try await units.read(body) }
    }

    private static let token = #"{"name":"ci","role":"admin"}"#

    @Test("the same request again gets the same answer and has no second effect")
    func replay() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let first = try await world.call("POST", "\(path)/tokens", Self.token, key: "a-1").expect(201)
        let again = try await world.call("POST", "\(path)/tokens", Self.token, key: "a-1").expect(201)
        #expect(again.response.body == first.response.body && again.location == first.location)
        #expect(again.entityTag == first.entityTag && again.header(.contentType) == "application/json")
        #expect(again.header("Idempotent-Replayed") == "true" && first.header("Idempotent-Replayed") == "")
        #expect(again.header(.cacheControl) == "no-store")
        #expect(try await world.call("GET", "\(path)/tokens").data.count == 1)
        #expect(try await world.events() == ["organization.created", "token.created"])
      }
    }

    @Test(
      "every POST of the admin API takes the key", arguments: ["organizations", "products", "identities"])
    func everywhere(collection: String) async throws {
      try await World.with { world in
        let path = try await world.organization()
        let (target, body) =
          switch collection {
          case "organizations": ("/v1/organizations", #"{"slug":"beta","name":"B","admin":{"name":"Eve"}}"#)
          case "products": ("/v1/products", #"{"code":"studio","name":"S"}"#)
          case _: ("\(path)/identities", #"{"name":"mac-1"}"#)
          }
        let first = try await world.call("POST", target, body, key: "one").expect(201)
        let again = try await world.call("POST", target, body, key: "one").expect(201)
        #expect(again.text == first.text)
        // Another key is another request.
        #expect(try await world.call("POST", target, body, key: "two").status == 409)
      }
    }

    @Test("another body under the same key is refused, and the key is the caller's and the path's own")
    func reuse() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let admin = try await world.token("admin", of: path)
        try await world.call("POST", "\(path)/identities", #"{"name":"a"}"#, key: "k").expect(201)
        let other = try await world.call("POST", "\(path)/identities", #"{"name":"b"}"#, key: "k")
        #expect(other.status == 422 && other.code == "idempotency-key-reused")
        try await world.call("POST", "\(path)/identities", #"{"name":"b"}"#, as: admin, key: "k").expect(201)
        try await world.call("POST", "\(path)/enrollments", #"{"identity":"a"}"#, key: "k").expect(201)
      }
    }

    @Test("a refused request is not stored: what was wrong can be mended under the same key")
    func refusal() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let body = #"{"product":"studio","model":"floating","seats":1}"#
        #expect(try await world.call("POST", "\(path)/licenses", body, key: "k").status == 422)
        try await world.call("POST", "/v1/products", #"{"code":"studio","name":"S"}"#).expect(201)
        try await world.call("POST", "\(path)/licenses", body, key: "k").expect(201)
      }
    }

    @Test("a key that is none is refused after the target and the role", arguments: ["", "a b", "ü"])
    func malformed(key: String) async throws {
      try await World.with { world in
        let path = try await world.organization()
        let viewer = try await world.token("viewer", of: path)
        let target = "\(path)/identities"
        #expect(try await world.call("POST", target, #"{"name":"a"}"#, key: key).status == 422)
        #expect(try await world.call("POST", target, #"{"name":"a"}"#, as: viewer, key: key).status == 403)
        #expect(
          try await world.call("POST", "/v1/organizations/none/identities", "{}", key: key).status == 404)
        #expect(
          try await world.call("POST", target, #"{"name":"a"}"#, key: String(repeating: "x", count: 256))
            .status
            == 422)
      }
    }

    @Test("50 at once under one key: one effect, and each gets the one answer or is told to wait")
    func parallel() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
          for _ in 0..<50 {
            group.addTask { try await world.call("POST", "\(path)/tokens", Self.token, key: "once") }
          }
          return try await group.reduce(into: [Answer]()) { $0.append($1) }
        }
        let done = answers.filter { $0.status == 201 }
        let waiting = answers.filter { $0.status == 409 }
        #expect(done.count >= 1 && done.count + waiting.count == 50)
        #expect(Set(done.map(\.text)).count == 1)
        #expect(done.filter { $0.header("Idempotent-Replayed") == "" }.count == 1)
        #expect(waiting.allSatisfy { $0.code == "request-in-progress" && $0.header(.retryAfter) == "1" })
        #expect(try await world.call("GET", "\(path)/tokens").data.count == 1)
        let late = try await world.call("POST", "\(path)/tokens", Self.token, key: "once").expect(201)
        #expect(late.text == done.first?.text)
      }
    }

    @Test("an answer that was lost after its commit is found again")
    func lostAnswer() async throws {
      let losing = Mutex<Losing?>(nil)
      func wrap(_ units: any UnitsOfWork) -> any UnitsOfWork {
        let wrapped = Losing(units)
        losing.withLock { $0 = wrapped }
        return wrapped
      }
      try await World.with(units: wrap) { world in
        let path = try await world.organization()
        losing.withLock { $0 }?.losses.store(1, ordering: .relaxed)
        let lost = try await world.call("POST", "\(path)/tokens", Self.token, key: "k")
        #expect(lost.status == 503 && lost.code == "storage-unavailable")
        let found = try await world.call("POST", "\(path)/tokens", Self.token, key: "k").expect(201)
        #expect(found.header("Idempotent-Replayed") == "true")
        #expect(try await world.call("GET", path, as: found["token"]).status == 200)
        #expect(try await world.call("GET", "\(path)/tokens").data.count == 1)
      }
    }

    @Test("the database alone gives no secret away, and neither does a token that was changed since")
    func sealed() async throws {
      try await World.with { world in
        let path = try await world.organization()
        let own = try await world.call("POST", "\(path)/tokens", Self.token).expect(201)
        let made = try await world.call("POST", "\(path)/tokens", Self.token, as: own["token"], key: "k-1")
          .expect(201)
        let stored = try await world.storedText()
        #expect(!stored.contains(made["token"]) && !stored.contains("k-1") && stored.contains("Location"))
        let rotated = try await world.call("POST", "\(own.location)/rotate").expect(200)
        let late = try await world.call(
          "POST", "\(path)/tokens", Self.token, as: rotated["token"], key: "k-1")
        #expect(late.status == 422 && late.code == "idempotency-key-reused")
        #expect(try await world.call("GET", "\(path)/tokens").data.count == 2)
      }
    }

    @Test("an admin identity's requests name themselves too")
    func administrator() async throws {
      try await World.with { world in
        let path = try await world.organization()
        func enroll() async throws -> Answer {
          let headers: [HeaderField] = [
            HeaderField(.contentType, "application/json"), HeaderField(.idempotencyKey, "k"),
          ]
          let request = try Request(
            "POST", "\(path)/enrollments", headers: headers, body: Array(#"{"uses":2}"#.utf8))
          return Answer(await world.device.respond(to: request, from: Visitor(.administrator(Peers.device))))
        }
        let first = try await enroll().expect(201)
        #expect(try await enroll().expect(201).text == first.text)
        #expect(try await world.call("GET", "\(path)/enrollments").data.count == 1)
      }
    }
  }
}
