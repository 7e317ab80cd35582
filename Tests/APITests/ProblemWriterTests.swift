import HTTP
import JSON
import Licensing
import Synchronization
import Telemetry
import Testing

@testable import API

@Suite("Problems as answers")
struct ProblemWriterTests {
  private let writer = ProblemWriter(services: .forTests())

  @Test("a problem is written in full, and nothing is written that it has not")
  func complete() {
    let response = writer.response(
      to: Problem(
        .noSeatAvailable, "All taken.", errors: [Problem.FieldError(pointer: "/a~1b", detail: "is \"odd\"")],
        extensions: [
          Problem.Extension("held", .integer(2)), Problem.Extension("final", .boolean(true)),
          Problem.Extension("candidates", .objects([[Problem.Extension("code", .string("x"))]])),
        ], headers: [HeaderField(.retryAfter, "9")], contactURL: "https://acme.example/help"))
    #expect(response.status == 409)
    #expect(
      response.headers == [
        HeaderField(.contentType, "application/problem+json"), HeaderField(.retryAfter, "9"),
      ])
    #expect(
      String(decoding: response.body, as: UTF8.self) == """
        {"type":"/problems/no-seat-available","title":"All seats are taken","status":409,"detail":"All taken.",\
        "code":"no-seat-available","errors":[{"pointer":"/a~1b","detail":"is \\"odd\\""}],\
        "contactUrl":"https://acme.example/help","held":2,"final":true,"candidates":[{"code":"x"}]}
        """)
    #expect(!String(decoding: writer.response(to: Problem(.notFound)).body, as: UTF8.self).contains("errors"))
  }

  @Test("a fault is told as a reference, and its text is only in the log")
  func fault() async throws {
    struct Secret: Error { let text = "password=hunter2" }
    for error in [StorageError.fault("relation seat"), StorageError.conflict(.other("seat_pkey"))]
      as [any Error]
      + [Secret()]
    {
      let response = writer.response(to: error)
      #expect(response.status == 500)
      let body = try JSONValue(parsing: response.body)
      #expect(body["code"] == .string("internal-error"))
      #expect(body["reference"] != nil)
      let text = String(decoding: response.body, as: UTF8.self)
      #expect(!text.contains("seat") && !text.contains("hunter2"))
    }
  }

  @Test("a database that is away is 503 with Retry-After, and its address stays secret")
  func unavailable() {
    for error in [StorageError.unavailable("10.0.0.7"), .outcomeUnknown("10.0.0.7")] {
      let response = writer.response(to: error)
      #expect(response.status == 503)
      #expect(response.headers.contains(HeaderField(.retryAfter, "5")))
      #expect(!String(decoding: response.body, as: UTF8.self).contains("10.0.0.7"))
    }
  }

  @Test("bytes that are no request are answered by their problem, and the connection closes")
  func parserFailures() throws {
    var failures: [RequestFailure] = []
    for target in ["/a b", "/" + String(repeating: "a", count: 20_000)] {
      var parser = RequestParser()
      if case .failed(let failure) = parser.feed(Array("GET \(target) HTTP/1.1\r\n\r\n".utf8).span).event {
        failures.append(failure)
      }
    }
    try #require(failures.count == 2)
    for failure in failures + [.timedOut, .misdirected] {
      let response = writer.response(to: failure)
      #expect(response.status == failure.status)
      #expect(response.closes)
      #expect(try JSONValue(parsing: response.body)["detail"] == .string(failure.detail))
    }
  }

  @Test("a full license says how full, whom it asked, and when to come again")
  func noSeat() throws {
    let id = Identifier(high: 1, low: 2)
    let refusal = SeatRefusal(
      reason: .noSeatAvailable, candidates: [SeatRefusal.Candidate(license: id, reason: .noSeatAvailable)],
      seats: 2, held: 2, retryAfterSeconds: 31)
    let response = writer.response(to: refusal)
    #expect(response.status == 409)
    #expect(response.headers.contains(HeaderField(.retryAfter, "31")))
    let body = try JSONValue(parsing: response.body)
    #expect(body["seats"] == .integer(2) && body["held"] == .integer(2))
    #expect(
      body["candidates"]
        == .array([
          .object([
            JSONMember("license", .string(id.description)), JSONMember("code", .string("no-seat-available")),
          ])
        ]))
  }

  @Test("every refusal of a seat has the code of its reason", arguments: SeatRefusal.Reason.allCases)
  func refusals(reason: SeatRefusal.Reason) {
    #expect(Problem(SeatRefusal(reason: reason)).code == reason.rawValue)
  }

  @Test("a lost lease says how it was lost")
  func lost() {
    let problem = Problem(SeatRefusal(reason: .leaseLost, loss: .drained))
    #expect(problem.status == 412)
    #expect(problem.extensions == [Problem.Extension("reason", .string("drained"))])
  }

  @Test("all bad members of a body are told at once")
  func members() throws {
    var reader = try MemberReader(Array(#"{"seats":"two","colour":1}"#.utf8))
    _ = reader.required("seats", .integer(0...9))
    _ = reader.required("name", .string())
    let errors = try #require(throws: MemberErrors.self) { try reader.finish() }
    let problem = try #require(Problem(telling: errors))
    #expect(problem.status == 422 && problem.code == "invalid")
    #expect(problem.errors.map(\.pointer) == ["/seats", "/name", "/colour"])
    #expect(problem.detail == "/seats must be a whole number from 0 to 9, and 2 more; see “errors”.")
  }
}
