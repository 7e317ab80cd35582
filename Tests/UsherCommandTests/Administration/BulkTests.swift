import Fixtures
import Foundation
import JSON
import Testing

@testable import UsherCommand

@Suite struct BulkTests {
  private func csv(_ text: String) throws -> CSV { try CSV(Array(text.utf8)) }

  @Test func `a CSV may be written as spreadsheets do`() throws {
    let table = try csv("\u{feff}a,b\r\n1,\"x, \"\"y\"\"\nz\"\r\n\r\n,2\r\n3,4")
    #expect(table.titles == ["a", "b"])
    #expect(
      table.rows == [
        .init(line: 2, cells: ["1", "x, \"y\"\nz"]), .init(line: 5, cells: ["", "2"]),
        .init(line: 6, cells: ["3", "4"]),
      ])
    #expect(try csv("a;b\n1,5;2\n").rows == [.init(line: 2, cells: ["1,5", "2"])])
    #expect(try csv("a\tb\n1\t2").rows == [.init(line: 2, cells: ["1", "2"])])
    #expect(["a", "a,b", "a\"b"].map(CSV.cell) == ["a", "\"a,b\"", "\"a\"\"b\""])
  }

  @Test(arguments: [
    ("", "the file is empty"), ("a,b\n1\n", "line 2 has 1 cells, the first line has 2"),
    ("a\n\"x\n", "line 2: a quoted cell does not end"), ("a\n\"x\"y\n", "line 2: a quoted cell does not end"),
  ]) func `what is no CSV is told with its line`(text: String, message: String) {
    let failure = #expect(throws: CommandFailure.self) { try csv(text) }
    #expect(failure?.message.contains(message) == true)
  }

  @Test func `a row is what the command would be`() async throws {
    let desk = try AdminDesk([])
    let file = try desk.temporary.write(
      "Name,external_id,attribute,role\nann,7,a=1|b=x y,\nbob,,,admin\n", to: "people.csv")
    let screen = await desk.run("import", file, "--as", "identity", "--dry-run")
    let path = #"{"method":"POST","path":"/v1/organizations/acme/identities","body":"#
    #expect(
      screen.printed == path + #"{"name":"ann","attributes":{"a":"1","b":"x y"},"externalId":"7"}}"# + "\n"
        + path + #"{"name":"bob","role":"admin"}}"# + "\n")
    #expect(screen.errors == "2 would be sent\n" && screen.code == .success)
    let same = await desk.run("identity", "create", "--from", file, "--dry-run")
    #expect(same.printed == screen.printed)
    let all = await desk.run("identity", "create", "--from", file, "--dry-run", "--metadata", "k=v")
    #expect(all.printed.split(separator: "\n").allSatisfy { $0.contains(#""metadata":{"k":"v"}"#) })
    let freed = try desk.temporary.write("license,identity,block\nl,ann,1d\n", to: "gone.csv")
    #expect(
      await desk.run("import", freed, "--as", "seat.free", "--dry-run").printed
        == #"{"method":"DELETE","path":"/v1/organizations/acme/licenses/l/seats/ann?blockSeconds=86400"}"#
        + "\n")
  }

  @Test(arguments: [
    ("name,rol\na,b\n", "identity", "there is no column rol; did you mean role?"),
    ("name,role\na,king\n", "identity", "line 2: --role is \"king\"; allowed: device, admin"),
    ("role\ndevice\n", "identity", "line 2: NAME must be given"),
    ("name\na\n", "person", "--as is \"person\"; allowed: org, product,"),
    ("name\na\n", "identity.list", "--as is \"identity.list\""),
  ]) func `a file that is wrong is told before anything is sent`(text: String, kind: String, message: String)
    async throws
  {
    let desk = try AdminDesk([])
    let file = try desk.temporary.write(text, to: "file")
    let screen = await desk.run("import", file, "--as", kind)
    #expect(screen.code == .failure && screen.errors.contains(message), "\(screen.errors)")
    #expect(desk.server.requests.isEmpty)
  }

  @Test func `a request is named by what it says, wherever it stands`() throws {
    func names(_ texts: [String], batch: String = "") throws -> [JSONValue?] {
      let lines = try BulkFile.lines(Array(texts.joined(separator: "\n").utf8))
      return try BulkLine.name(lines, in: batch).map { $0.json["idempotencyKey"] }
    }
    let (a, b) = (#"{"method":"POST","path":"/v1/a"}"#, #"{"method":"POST","path":"/v1/b"}"#)
    let first = try names([a, b, a])
    #expect(Set(first).count == 3 && !first.contains(nil))
    #expect(
      try names(["", b, a, #"{"method":"DELETE","path":"/v1/a"}"#, a]) == [first[1], first[0], nil, first[2]])
    #expect(try Set(names([a, b, a], batch: "2")).isDisjoint(with: first))
    let own = #"{"method":"POST","path":"/v1/a","idempotencyKey":"mine"}"#
    #expect(try names([own]) == [.string("mine")])
  }

  @Test func `each line has its outcome, and what had no time is asked again`() async throws {
    let file = (1...4).map {
      #"{"method":"POST","path":"/v1/products","body":{"code":"p\#($0)","name":"P"}}"#
    }
    let first = [
      #"{"line":1,"status":201,"body":{"code":"p1"}}"#,
      #"{"line":2,"status":409,"body":{"code":"already-exists","detail":"There is one."}}"#,
      #"{"line":3,"status":503,"retryAfter":"0","body":{"code":"storage-unavailable"}}"#,
      #"{"line":4,"status":422,"body":{"code":"invalid","detail":"No.","title":"It is wrong","errors":[{"pointer":"/name","detail":"must be longer"}]}}"#,
    ].joined(separator: "\n")
    let desk = try AdminDesk([
      AdminDesk.answer(200, first), AdminDesk.answer(200, #"{"line":1,"status":201,"body":{"code":"p3"}}"#),
    ])
    let path = try desk.temporary.write(file.joined(separator: "\n"), to: "file")
    let screen = await desk.run("import", path, "--json")
    #expect(screen.code == .refused)
    #expect(screen.errors == "2 done, 1 there already, 1 refused\n")
    let document = try JSONValue(parsing: Array(screen.printed.utf8))
    #expect(document["done"] == .integer(2) && document["existing"] == .integer(1))
    guard case .array(let lines)? = document["data"] else { throw CocoaError(.coderReadCorrupt) }
    #expect(lines.map { $0["line"] } == (1...4).map { .integer($0) })
    #expect(lines[2]["body"]?["code"] == .string("p3"))
    #expect(desk.server.requests.count == 2)
    #expect(desk.server.requests[1].request.contains("p3") && !desk.server.requests[1].request.contains("p1"))
  }

  @Test func `a refused line is told with its number and its reasons`() async throws {
    let refused =
      #"{"line":1,"status":422,"body":{"code":"invalid","detail":"No.","title":"It is wrong","errors":[{"pointer":"/name","detail":"must be longer"}]}}"#
    let desk = try AdminDesk([AdminDesk.answer(200, refused)])
    let path = try desk.temporary.write("name\n\"a b\"\n", to: "file")
    let screen = await desk.run("identity", "create", "--from", path)
    #expect(
      screen.errors
        == "line 2 refused: It is wrong (invalid)\n  NAME: must be longer\n0 done, 0 there already, 1 refused\n"
    )
  }

  @Test func `secrets that are shown once are printed as a CSV`() async throws {
    let made =
      #"{"line":1,"status":201,"body":{"identity":"a","id":"1","expiresAt":"2026-12-01T00:00:00Z","token":"s,t"}}"#
    let desk = try AdminDesk([AdminDesk.answer(200, made)])
    let path = try desk.temporary.write("identity\na\n", to: "file")
    let screen = await desk.run("enrollment", "create", "--from", path)
    #expect(screen.printed == "identity,id,expiresAt,token\na,1,2026-12-01T00:00:00Z,\"s,t\"\n")
    #expect(screen.errors == "1 done, 0 there already, 0 refused\n" && screen.code == .success)
  }

  @Test func `a token that is over ends an import at once`() async throws {
    let lines = (1...100).map {
      #"{"line":\#($0),"status":401,"body":{"code":"token-invalid","detail":"Over."}}"#
    }
    let desk = try AdminDesk([AdminDesk.answer(200, lines.joined(separator: "\n"))])
    let path = try desk.temporary.write("name\n" + (1...300).map { "n\($0)\n" }.joined(), to: "file")
    let screen = await desk.run("identity", "create", "--from", path, "--json")
    #expect(screen.code == .refused)
    #expect(screen.errors == "0 done, 0 there already, 100 refused, 200 not sent\n")
  }
}
