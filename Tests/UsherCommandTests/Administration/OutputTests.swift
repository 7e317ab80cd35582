import JSON
import Testing

@testable import UsherCommand

@Suite struct OutputTests {
  private let rows: [JSONValue] = try! [
    #"{"id":"01a22cda-a5f3-749d-b528-d9a3859afc4c","name":"A very long name of a thing that nobody will read to its end","usage":{"held":5},"expiresAt":"2027-12-31T01:02:03Z"}"#,
    #"{"id":"01a22cda-a5f3-749d-b528-d9a3859afc4d","name":"b","usage":{"held":12},"expiresAt":null}"#,
  ].map { try JSONValue(parsing: Array($0.utf8)) }
  private let columns = ["id", "name", "usage.held", "expiresAt"]

  @Test func `columns are aligned, numbers to the right, and nothing is cut where no terminal is`() {
    let lines = Table(rows, columns: columns).lines(width: nil)
    #expect(lines[0].hasPrefix("ID  ") && lines[0].hasSuffix("  HELD  EXPIRES"))
    #expect(lines[1].hasSuffix("read to its end     5  2027-12-31T01:02:03Z"))
    #expect(lines[2].hasSuffix("  12  -"))
  }

  @Test(arguments: [72, 80, 100, 200]) func `it fits the terminal, and ids stay whole`(width: Int) {
    let lines = Table(rows, columns: columns).lines(width: width)
    for line in lines { #expect(line.count <= width) }
    #expect(lines[1].hasPrefix("01a22cda-a5f3-749d-b528-d9a3859afc4c  "))
    #expect(lines[1].hasSuffix(width == 200 ? "2027-12-31 01:02" : "2027-12-31"))
    #expect(lines[1].contains("…") == (width < 120))
  }

  @Test func `a title is the member's name in words`() {
    #expect(
      ["expiresAt", "usage.held", "lastUsedAt", "serialNumber", "id"].map(Table.title)
        == ["EXPIRES", "HELD", "LAST USED", "SERIAL NUMBER", "ID"])
  }

  @Test func `what a terminal would obey is not printed`() {
    let value = JSONValue.object([JSONMember("name", .string("a\u{1b}[2Jb\u{202e}c\u{9b}d"))])
    #expect(Table([value], columns: ["name"]).lines(width: nil)[1] == "a\u{fffd}[2Jb\u{fffd}c\u{fffd}d")
    #expect(Sheet(value).lines == ["name  a\u{fffd}[2Jb\u{fffd}c\u{fffd}d"])
  }

  @Test func `a document is a member a line, and PEM keeps its lines`() throws {
    let json =
      #"{"id":"1","certificate":"-----BEGIN\nabc\n","usage":{"held":1,"free":null},"tags":[],"ok":true}"#
    #expect(
      Sheet(try JSONValue(parsing: Array(json.utf8))).lines == [
        "id           1", "certificate", "-----BEGIN", "abc", "usage.held   1", "usage.free   -",
        "tags         -", "ok           yes",
      ])
  }
}
