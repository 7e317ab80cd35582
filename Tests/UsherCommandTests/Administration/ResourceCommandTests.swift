import Fixtures
import Foundation
import JSON
import Testing
import UsherClient

@testable import UsherCommand

@Suite struct ResourceCommandTests {
  /// What a verb must be given, whatever that means to the server.
  private static func words(_ verb: Verb, _ file: String) -> [String] {
    verb.arguments.filter(\.isRequired).flatMap { parameter in
      let value =
        switch parameter.form {
        case .choice(let words): words[0]
        case .number: "5"
        case .duration: "1h"
        case .time: "2026-11-30"
        case .truth: "yes"
        case .pairs, .features: "a=b"
        case .file, .files: file
        case .json: "{}"
        case .text, .texts, .flag: "x"
        }
      return parameter.kind == .operand ? [value] : [parameter.word, value]
    } + (verb.method == .patch && verb.constants.isEmpty ? ["--external-id", "e"] : [])
  }

  @Test(arguments: ResourceTableTests.names.indices)
  func `with --json every command prints one document, and asks what the table says`(index: Int) async throws
  {
    let (resource, verb) = ResourceTableTests.commands[index]
    let body =
      switch verb.shape {
      case .resource: verb.method == .delete ? "" : #"{"id":"1"}"#
      case .list: #"{"data":[{"id":"1"},{"id":"2"}],"next":null}"#
      case .lines: "{\"id\":\"1\"}\n{\"id\":\"2\"}\n"
      }
    let desk = try AdminDesk([AdminDesk.answer(body.isEmpty ? 204 : 200, body)])
    let file = try desk.temporary.write("text", to: "file")
    let screen = await desk.run([resource.name, verb.name, "--json"] + Self.words(verb, file))
    #expect(screen.code == .success && screen.errors == "", "\(screen)")
    let document = try JSONValue(parsing: Array(screen.printed.utf8))
    switch verb.shape {
    case .resource: #expect(document == (body.isEmpty ? .null : try JSONValue(parsing: Array(body.utf8))))
    case .list, .lines:
      guard case .array(let rows) = document["data"] else { throw CocoaError(.coderReadCorrupt) }
      #expect(rows.count == 2)
    }
    let request = try #require(desk.server.requests.first?.request)
    #expect(request.hasPrefix("\(verb.method.rawValue) /v1/"))
    #expect(request.contains("\r\nAuthorization: Bearer t0ken\r\n"))
    #expect(!request.prefix { $0 != "\r\n" }.contains { "{}[]".contains($0) })
  }

  private func body(_ words: String...) throws -> String {
    let resource = try #require(Resource.named(words[0]))
    let verb = try #require(resource.verb(named: words[1]))
    let given = try GivenArguments(Array(words.dropFirst(2)), of: verb.arguments)
    return try VerbRequest(verb, given, organization: "acme").body?.rendered ?? ""
  }

  @Test func `options become members, in the words of the API`() throws {
    #expect(
      try body(
        "license", "create", "--product", "studio", "--model", "named", "--seats", "5", "--lease", "15m",
        "--expires", "2027-01-31", "--overdraft-until", "none", "--feature", "a", "--feature", "b=2",
        "--feature", "c=x=y", "--metadata", "k=v")
        == #"{"product":"studio","model":"named","seats":5,"overdraftUntil":null,"leaseSeconds":900,"#
        + #""expiresAt":"2027-01-31T00:00:00Z","features":{"a":true,"b":2,"c":"x=y"},"metadata":{"k":"v"}}"#)
    #expect(
      try body(
        "org", "create", "acme", "--name", "Acme", "--admin", "Ann", "--validity", "30d", "--key-type",
        "P-256",
        "--key-type", "P-384")
        == #"{"slug":"acme","name":"Acme","admin":{"name":"Ann"},"#
        + #""certificates":{"validitySeconds":2592000,"keyTypes":["P-256","P-384"]}}"#)
    #expect(try body("org", "update", "acme", "--key-type", "none") == #"{"certificates":{"keyTypes":null}}"#)
    #expect(try body("license", "set-reservations", "l", "--identity", "none") == #"{"identities":[]}"#)
    #expect(try body("identity", "suspend", "ann") == #"{"status":"suspended"}"#)
    #expect(try body("token", "rotate", "t") == "")
  }

  @Test(arguments: [
    (["license", "create", "--seats", "many"], "--product TEXT must be given"),
    (["license", "update", "l", "--seats", "many"], "--seats is \"many\"; allowed: a whole number"),
    (["license", "update", "l"], "something to change must be given"),
    (["license", "update", "l", "--lease", "5y"], "allowed: seconds, or with a unit as in 15m, 8h, 30d"),
    (["license", "list", "--expires-before", "soon"], "allowed: a time as in 2026-11-30T12:00:00Z"),
    (["license", "frob"], "there is no frob"), (["licence", "list"], "did you mean license?"),
    (["license", "crate"], "did you mean create?"), (["seat", "assign", "l"], "IDENTITY must be given"),
    (["identity", "create", "x", "--dry-run"], "--dry-run goes with --from"),
  ])
  func `what is wrong with the words is said before anybody is asked`(words: [String], message: String)
    async throws
  {
    let desk = try AdminDesk([])
    let screen = await desk.run(words)
    #expect(screen.code == .failure && screen.printed == "")
    #expect(screen.errors.contains(message), "\(screen.errors)")
  }

  @Test func `a path names the organization of the option, of the profile, or of nobody`() async throws {
    let page = AdminDesk.answer(200, #"{"data":[],"next":null}"#)
    let admin = try AdminDesk([page, page])
    _ = await admin.run("token", "list")
    _ = await admin.run("token", "list", "--org", "beta")
    let paths = admin.server.requests.map { $0.request.prefix { $0 != "?" } }
    #expect(paths == ["GET /v1/organizations/acme/tokens", "GET /v1/organizations/beta/tokens"])
    let vendor = try AdminDesk([page], organization: nil)
    _ = await vendor.run("token", "list")
    #expect(vendor.server.requests.last?.request.hasPrefix("GET /v1/tokens?") == true)
    #expect(await vendor.run("identity", "list").errors.contains("--org, which the profile does not know,"))
  }

  @Test func `names are escaped in paths and queries`() async throws {
    let desk = try AdminDesk([
      AdminDesk.answer(200, "{}"), AdminDesk.answer(200, #"{"data":[],"next":null}"#),
    ])
    _ = await desk.run("identity", "show", "a/b@c")
    _ = await desk.run("identity", "list", "--search", "a&b=c")
    let requests = desk.server.requests.map(\.request)
    #expect(requests[0].hasPrefix("GET /v1/organizations/acme/identities/a%2Fb%40c "))
    #expect(requests[1].hasPrefix("GET /v1/organizations/acme/identities?q=a%26b%3Dc&limit=200 "))
  }

  @Test func `a list is read to its end, or to its limit`() async throws {
    let pages = [
      #"{"data":[{"name":"a"},{"name":"b"}],"next":"c1"}"#, #"{"data":[{"name":"c"}],"next":null}"#,
    ].map { AdminDesk.answer(200, $0) }
    let desk = try AdminDesk(pages)
    let all = await desk.run("identity", "list", "--json")
    #expect(all.printed == #"{"data":[{"name":"a"},{"name":"b"},{"name":"c"}],"next":null}"# + "\n")
    #expect(desk.server.requests[1].request.contains("?limit=200&cursor=c1 "))
    let other = try AdminDesk(pages)
    let some = await other.run("identity", "list", "--json", "--limit", "2")
    #expect(some.printed == #"{"data":[{"name":"a"},{"name":"b"}],"next":"c1"}"# + "\n")
    #expect(other.server.requests.count == 1)
  }

  @Test func `a refusal is told in the words of the command line, and as it is to programs`() async throws {
    let problem =
      #"{"code":"invalid","title":"The request does not hold together","detail":"…","contactUrl":"https://help.example/","#
      + #""errors":[{"pointer":"/seats","detail":"must be more"},{"pointer":"/certificates/validitySeconds","detail":"x"},"#
      + #"{"pointer":"?mode","detail":"y"},{"pointer":"/features/a","detail":"z"}]}"#
    let answer = AdminDesk.answer(422, problem)
    let desk = try AdminDesk([answer, answer])
    let screen = await desk.run("license", "update", "l", "--seats", "1")
    #expect(screen.code == .refused && screen.printed == "")
    #expect(
      screen.errors == """
        refused: The request does not hold together (invalid)
          --seats: must be more
          /certificates/validitySeconds: x
          --drain: y
          --feature, /a: z
          contact: https://help.example/

        """)
    #expect(await desk.run("license", "update", "l", "--seats", "1", "--json").errors == problem + "\n")
  }

  @Test func `a server that is away is code 4`() async throws {
    let desk = try AdminDesk([AdminDesk.answer(503, #"{"code":"storage-unavailable","detail":"Away."}"#)])
    let screen = await desk.run("org", "list")
    #expect(screen.code == .unknown && screen.errors.contains("storage-unavailable: Away."))
  }

  @Test func `one member can be printed alone`() async throws {
    let answer = AdminDesk.answer(200, #"{"id":"1","usage":{"held":3},"externalId":null}"#, "ETag: \"7\"\r\n")
    let desk = try AdminDesk([answer, answer, answer, answer])
    #expect(await desk.run("license", "show", "l", "--print", "usage.held").printed == "3\n")
    #expect(await desk.run("license", "show", "l", "--print", "externalId").printed == "\n")
    #expect(await desk.run("license", "show", "l", "--print", "etag").printed == "\"7\"\n")
    #expect(await desk.run("license", "show", "l", "--print", "nope").code == .failure)
  }
}
