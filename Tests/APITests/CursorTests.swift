import Testing

@testable import API

@Suite("Cursors")
struct CursorTests {
  @Test("a cursor is read back by its own list only")
  func roundTrip() {
    let cursor = Cursor(list: "/v1/organizations/acme/licenses", after: 4711)
    #expect(Cursor(cursor.description, list: cursor.list) == cursor)
    #expect(Cursor(cursor.description, list: "/v1/organizations/acme/identities") == nil)
    #expect(Cursor(cursor.description, list: cursor.list + "status=active") == nil)
  }

  @Test("a key of several parts is read back as such only")
  func parts() {
    let cursor = Cursor(list: "/v1/events", after: 1_796_000_523_000_001, 12)
    #expect(Cursor(cursor.description, list: "/v1/events", parts: 2) == cursor)
    #expect(Cursor(cursor.description, list: "/v1/events") == nil)
    #expect(Cursor(Cursor(list: "/v1/events", after: 12).description, list: "/v1/events", parts: 2) == nil)
  }

  @Test("what no list gave is refused", arguments: ["", "4711", "####", "NDcxMQ", "LTF8L2E", "eHwvYQ"])
  func refused(text: String) {
    #expect(Cursor(text, list: "/a") == nil)
  }
}
