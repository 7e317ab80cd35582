import JSON
import Testing

struct JSONParserTests {
  static let sound: [(String, JSONValue)] = [
    ("null", .null), (" true\n", .boolean(true)), ("\tfalse\r\n", .boolean(false)),
    ("0", .integer(0)), ("-0", .integer(0)), ("-12", .integer(-12)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.0", .number(1)), ("1e2", .number(100)),
    ("1E+2", .number(100)), ("-1.5e-2", .number(-0.015)), ("0.1", .number(0.1)), ("0e0", .number(0)),
    ("0e-999", .number(0)), ("5e-324", .number(.leastNonzeroMagnitude)),
    (#""""#, .string("")), (#""a\"\\\/\b\f\n\r\tz""#, .string("a\"\\/\u{8}\u{c}\n\r\tz")),
    (#""\u00e9\u00E9\u0000""#, .string("\u{e9}\u{e9}\u{0}")), (#""\ud83d\udd11""#, .string("\u{1f511}")),
    (#""\uD800\uDC00\uDBFF\uDFFF""#, .string("\u{10000}\u{10ffff}")),
    ("\"\u{e9}\u{7f}\"", .string("\u{e9}\u{7f}")),
    ("[]", .array([])), ("[ ]", .array([])), ("[1 , [2]]", .array([.integer(1), .array([.integer(2)])])),
    ("{}", .object([])), ("{ }", .object([])),
    (
      #"{"a":1 , "b" : {"a":2}}"#,
      .object([JSONMember("a", .integer(1)), JSONMember("b", .object([JSONMember("a", .integer(2))]))])
    ),
  ]

  @Test(arguments: sound) func `JSON is read`(_ text: String, _ value: JSONValue) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == value)
  }

  /// What is refused, and at which byte.
  static let unsound: [(String, Int)] = [
    ("", 0), (" ", 1), ("nul", 0), ("nulll", 4), ("True", 0), ("NaN", 0), ("Infinity", 0), ("-Infinity", 1),
    ("-", 1), ("+1", 0), ("01", 1), ("-01", 2), ("1.", 2), (".1", 0), ("1.e1", 2), ("1e", 2), ("1e+", 3),
    ("0x1", 1),
    ("1_0", 1), ("1e999", 0), ("-1e999", 0), ("1e-999", 0), ("-0.01e-999", 0), ("1 2", 2), ("1,", 1),
    ("\"", 1), ("\"a", 2), ("\"a\nb\"", 2), ("\"\u{0}\"", 1), ("\"\u{1f}\"", 1), (#""\a""#, 1),
    (#""\U0041""#, 1),
    (#""\u"#, 3), (#""\u004"#, 6), (#""\u00g0""#, 5), (#""\ud800""#, 1), (#""\ud800a""#, 1),
    (#""\ud800\n""#, 1),
    (#""\ud800\ud800""#, 1), (#""\ud800\u0041""#, 1), (#""\udc00""#, 1), (#""\udc00\ud800""#, 1), (#""\"#, 1),
    ("'a'", 0), ("[", 1), ("[1", 2), ("[1,", 3), ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3), ("[1}", 2), ("]", 0),
    ("{", 1), ("{\"a\"", 4), ("{\"a\":", 5), ("{\"a\":1", 6), ("{\"a\":1,}", 7), ("{a:1}", 1), ("{1:1}", 1),
    ("{\"a\" 1}", 5), ("{\"a\"::1}", 5), ("{,}", 1), ("{\"a\":1]", 6), ("[1] //", 4), ("/**/1", 0),
    ("\u{feff}1", 0), ("1\u{0}", 1), ("1\u{a0}", 1), ("{\"a\":1,\"a\":1}", 7), (#"{"a":1,"\u0061":2}"#, 7),
    ("[{\"a\":[{\"b\":1,\"b\":2}]}]", 14),
  ]

  @Test(arguments: unsound) func `What is not JSON is refused where it fails`(_ text: String, _ offset: Int) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
    #expect(error?.offset == offset, "\(error?.detail ?? "")")
  }

  static let badEncodings: [([UInt8], Int)] = [
    ([0x22, 0xff, 0x22], 1), ([0x22, 0xc3, 0x22], 1), ([0x22, 0xc0, 0xaf, 0x22], 1),
    ([0x22, 0xed, 0xa0, 0x80, 0x22], 1),
    ([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 1), ([0x80], 0), ([0xfe, 0xff, 0, 0x31], 0),
    ([0x31, 0x20, 0xe2, 0x82], 2),
  ]

  @Test(arguments: badEncodings) func `What is not UTF-8 is refused where it fails`(
    _ bytes: [UInt8], _ offset: Int
  ) {
    #expect(throws: JSONError(offset: offset, detail: "the text must be UTF-8")) {
      try JSONValue(parsing: bytes)
    }
  }

  @Test func `Values nest sixteen deep`() throws {
    func nested(_ open: String, _ close: String, _ depth: Int) -> [UInt8] {
      Array((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      _ = try JSONValue(parsing: nested(open, close, 16))
      #expect(throws: JSONError.self) { try JSONValue(parsing: nested(open, close, 17)) }
      #expect(throws: JSONError.self) { try JSONValue(parsing: nested(open, close, 100_000)) }
    }
  }

  @Test func `Many members are read in good time`() throws {
    let text = "{" + (0..<10_000).map { "\"\($0)\":0" }.joined(separator: ",") + "}"
    guard case .object(let members) = try JSONValue(parsing: Array(text.utf8)) else {
      Issue.record("an object must be an object")
      return
    }
    #expect(members.count == 10_000)
  }
}
