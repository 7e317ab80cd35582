import JSON
import Testing

struct MemberReaderTests {
  enum Model: String, CaseIterable { case floating, named }

  struct License: Equatable {
    var product = ""
    var model = Model.floating
    var seats: Int64 = 0
    var overdraft: Int64?
    var startsAt: Timestamp?
    var metadata: [String: String]?
    var mapping: [String]?
    var isShared: Bool?
    var features: JSONValue?
  }

  static func license(_ text: String) throws -> License {
    var reader = try MemberReader(Array(text.utf8))
    let license = License(
      product: reader.required("product", .string(1...8, expected: "a code") { !$0.contains(" ") }),
      model: reader.required("model", .choice(.floating)),
      seats: reader.required("seats", .integer(1...100)),
      overdraft: reader.optional("overdraft", .integer(0...10)),
      startsAt: reader.optional("startsAt", .timestamp),
      metadata: reader.optional("metadata", .map(of: .string(0...8), names: 1...4, bytes: 20)),
      mapping: reader.optional(
        "mapping",
        .array(of: .object(placeholder: "") { $0.required("field", .string(1...4)) }, count: 1...3)),
      isShared: reader.optional("isShared", .boolean),
      features: reader.optional("features", .anything))
    try reader.finish()
    return license
  }

  @Test func `A body becomes a value`() throws {
    let text = """
      {"product": "studio", "model": "named", "seats": 2, "overdraft": null, "startsAt": "1970-01-01T00:00:01Z",
       "metadata": {"a": "b"}, "mapping": [{"field": "x"}, {"field": "y"}], "isShared": true, "features": {"f": [1.5]}}
      """
    #expect(
      try MemberReaderTests.license(text)
        == License(
          product: "studio", model: .named, seats: 2, overdraft: nil,
          startsAt: Timestamp("1970-01-01T00:00:01Z"),
          metadata: ["a": "b"], mapping: ["x", "y"], isShared: true,
          features: .object([JSONMember("f", .array([.number(1.5)]))])))
    #expect(
      try MemberReaderTests.license(#"{"product":"a","model":"floating","seats":1}"#)
        == License(product: "a", seats: 1))
  }

  @Test(arguments: ["2.0", "2e0", "0.2e1", "20E-1"]) func `A whole number may be written as any number`(
    text: String
  ) throws {
    let license = try MemberReaderTests.license(#"{"product":"a","model":"floating","seats":\#(text)}"#)
    #expect(license.seats == 2)
  }

  /// What is added to a sound body, and the errors of the whole.
  static let faults: [(String, [String])] = [
    (#""product": "a b""#, ["/product must be a code"]),
    (#""product": """#, ["/product must be a code"]),
    (#""product": 1"#, ["/product must be a code"]),
    (#""product": null"#, ["/product must be a code"]),
    (#""model": "x""#, [#"/model must be one of "floating", "named""#]),
    (#""model": "Named""#, [#"/model must be one of "floating", "named""#]),
    (#""seats": 0"#, ["/seats must be a whole number from 1 to 100"]),
    (#""seats": 101"#, ["/seats must be a whole number from 1 to 100"]),
    (#""seats": 1.5"#, ["/seats must be a whole number from 1 to 100"]),
    (#""seats": 99999999999999999999"#, ["/seats must be a whole number from 1 to 100"]),
    (#""seats": "1""#, ["/seats must be a whole number from 1 to 100"]),
    (#""seats": true"#, ["/seats must be a whole number from 1 to 100"]),
    (#""startsAt": "yesterday""#, ["/startsAt must be a time of RFC 3339 such as 2026-11-30T01:02:03Z"]),
    (#""startsAt": 1"#, ["/startsAt must be a time of RFC 3339 such as 2026-11-30T01:02:03Z"]),
    (#""isShared": "true""#, ["/isShared must be true or false"]),
    (#""metadata": []"#, ["/metadata must be an object"]),
    (#""metadata": {"a": 1}"#, ["/metadata/a must be a string of 0 to 8 characters on one line"]),
    (#""metadata": {"a": "\n"}"#, ["/metadata/a must be a string of 0 to 8 characters on one line"]),
    (
      #""metadata": {"a/b~": "123456789"}"#,
      ["/metadata/a~1b~0 must be a string of 0 to 8 characters on one line"]
    ),
    (#""metadata": {"abcde": ""}"#, ["/metadata/abcde must be a string of 1 to 4 characters on one line"]),
    (
      #""metadata": {"a": "12345678", "b": "12345678", "c": "12345678"}"#,
      ["/metadata must be no longer than 20 bytes in all"]
    ),
    (#""mapping": {}"#, ["/mapping must be an array of 1 to 3 elements"]),
    (#""mapping": []"#, ["/mapping must be an array of 1 to 3 elements"]),
    (
      #""mapping": [{"field": "x"}, {}, 1]"#,
      ["/mapping/1/field is required", "/mapping/2 must be an object"]
    ),
    (#""mapping": [{"field": "x", "y": 1}]"#, ["/mapping/0/y is not a member here"]),
    (#""mapping": [{"field": 1}]"#, ["/mapping/0/field must be a string of 1 to 4 characters on one line"]),
    (#""features": {"a": ["\u0000"]}"#, ["/features must be without U+0000 in its strings"]),
    (#""features": {"\u0000": 1}"#, ["/features must be without U+0000 in its strings"]),
    (#""extra": 1, "a/b": 2"#, ["/extra is not a member here", "/a~1b is not a member here"]),
    (#""Seats": 1"#, ["/Seats is not a member here"]),
    (
      #""seats": 0, "overdraft": 11, "x": 1"#,
      [
        "/seats must be a whole number from 1 to 100", "/overdraft must be a whole number from 0 to 10",
        "/x is not a member here",
      ]
    ),
  ]

  @Test(arguments: faults) func `Everything that is wrong is told with its place`(
    _ members: String, _ expected: [String]
  ) {
    let sound = [(#""product""#, #""a""#), (#""model""#, #""named""#), (#""seats""#, "1")]
    let others = sound.filter { !members.hasPrefix($0.0) }.map { "\($0.0): \($0.1)" }
    let text = "{" + (others + [members]).joined(separator: ",") + "}"
    let error = #expect(throws: MemberErrors.self) { try MemberReaderTests.license(text) }
    #expect(error?.errors.map { "\($0.pointer) \($0.detail)" } == expected)
  }

  @Test func `What is missing is told`() {
    let error = #expect(throws: MemberErrors.self) { try MemberReaderTests.license("{}") }
    #expect(error?.errors.map(\.pointer) == ["/product", "/model", "/seats"])
    #expect(error?.errors.allSatisfy { $0.detail == "is required" } == true)
  }

  @Test(arguments: ["[]", "1", "null", "\"a\""]) func `A body that is no object is one error`(_ text: String)
  {
    #expect(throws: MemberErrors(errors: [MemberError(pointer: "", detail: "must be an object")])) {
      try MemberReaderTests.license(text)
    }
  }

  @Test(arguments: ["", "{", "{\"a\":1,\"a\":2}", "\u{feff}{}"]) func `A body that is no JSON is no body`(
    _ text: String
  ) {
    #expect(throws: JSONError.self) { try MemberReaderTests.license(text) }
  }

  @Test func `Of very many errors the first are told`() {
    let text = "{" + (0..<1000).map { "\"x\($0)\":1" }.joined(separator: ",") + "}"
    let error = #expect(throws: MemberErrors.self) { try MemberReaderTests.license(text) }
    #expect(error?.errors.count == 50)
  }

  @Test func `A patch tells absent, null and a value apart`() throws {
    var reader = try MemberReader(Array(#"{"a": null, "b": 1, "n": "x"}"#.utf8))
    #expect(reader.patch("a", .integer(0...9)) == .null)
    #expect(reader.patch("b", .integer(0...9)) == .value(1))
    #expect(reader.patch("c", .integer(0...9)) == .absent)
    #expect(reader.replacement("n", .string()) == "x")
    #expect(reader.replacement("m", .string()) == nil)
    #expect(reader.has("n") && !reader.has("m"))
    try reader.finish()
    #expect(Patch.null.applied(to: 1) == nil)
    #expect(Patch<Int>.absent.applied(to: 1) == 1)
    #expect(Patch.value(2).applied(to: nil) == 2)
  }

  @Test func `A member that cannot be taken away must not be null`() throws {
    var reader = try MemberReader(Array(#"{"name": null}"#.utf8))
    _ = reader.replacement("name", .string(1...10))
    #expect(throws: MemberErrors.self) { try reader.finish() }
  }

  @Test func `An error can be added by hand, and a value parsed further`() throws {
    var reader = try MemberReader(Array(#"{"a": "12", "b": "x"}"#.utf8))
    let number = Shape.string(1...9).parsed(placeholder: 0, expected: "digits") { Int($0) }
    #expect(reader.required("a", number) == 12)
    _ = reader.required("b", number)
    reader.fail("a", "excludes \"b\"")
    #expect(
      throws: MemberErrors(errors: [
        MemberError(pointer: "/b", detail: "must be digits"),
        MemberError(pointer: "/a", detail: "excludes \"b\""),
      ])
    ) { try reader.finish() }
  }

  @Test func `Text may have several lines, a string may not`() throws {
    var reader = try MemberReader(Array(#"{"pem": "a\nb\r\n", "name": "a\u0085b", "nul": "\u0000"}"#.utf8))
    #expect(reader.required("pem", .text(1...100)) == "a\nb\r\n")
    _ = reader.required("name", .string(1...100))
    _ = reader.required("nul", .text(1...100))
    let error = #expect(throws: MemberErrors.self) { try reader.finish() }
    #expect(error?.errors.map(\.pointer) == ["/name", "/nul"])
  }
}
