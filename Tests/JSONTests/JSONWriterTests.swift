import FoundationEssentials
import JSON
import Testing

struct JSONWriterTests {
  private func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `Members and elements are separated and nested`() {
    let text = text { writer in
      writer.object { writer in
        writer.member("a", 1)
        writer.member("b") { writer in
          writer.member("c", "d")
          writer.member("e", object: { _ in })
        }
        writer.member("f", array: [1, 2]) { writer, number in
          writer.array { writer in
            writer.value(number)
            writer.null()
          }
        }
        writer.member("g", array: [Int]()) { _, _ in }
        writer.member("h", true)
        writer.member("i", ["x", "y"])
        writer.member("j", ["z": "1", "y": "2"])
        writer.member("k", JSONValue.number(1.5))
      }
    }
    #expect(
      text == """
        {"a":1,"b":{"c":"d","e":{}},"f":[[1,null],[2,null]],"g":[],"h":true,"i":["x","y"],"j":{"y":"2","z":"1"},"k":1.5}
        """)
  }

  @Test func `What is absent is null`() {
    let text = text { writer in
      writer.object { writer in
        writer.member("a", String?.none)
        writer.member("b", Int64?.none)
        writer.member("c", Timestamp?.none)
        writer.member("d", .some("x"))
        writer.member("e", Int64?.some(1))
        writer.member("f", Timestamp?.some(Timestamp(microsecondsSince1970: 0)))
      }
    }
    #expect(text == #"{"a":null,"b":null,"c":null,"d":"x","e":1,"f":"1970-01-01T00:00:00Z"}"#)
  }

  static let strings = [
    ("", #""""#), ("plain", #""plain""#), ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#),
    ("\u{0}\u{1}\u{8}\u{c}\u{1f}\u{7f}", "\"\\u0000\\u0001\\u0008\\u000c\\u001f\u{7f}\""),
    ("caf\u{e9} \u{1f511} \u{2028}", "\"caf\u{e9} \u{1f511} \u{2028}\""),
    ("a long text with one \" at its end\"", #""a long text with one \" at its end\"""#),
  ]

  @Test(arguments: strings) func `A string has what it must escaped and no more`(
    _ value: String, _ json: String
  ) throws {
    #expect(text { $0.value(value) } == json)
    #expect(text { $0.object { $0.member(value, 1) } } == "{\(json):1}")
    #expect(try JSONDecoder().decode(String.self, from: Data(json.utf8)) == value)
  }

  /// What each byte becomes, one after the other.
  private func reference(_ text: String) -> [UInt8] {
    var json: [UInt8] = [0x22]
    for byte in text.utf8 {
      switch byte {
      case 0x22: json += Array(#"\""#.utf8)
      case 0x5c: json += Array(#"\\"#.utf8)
      case 0x0a: json += Array(#"\n"#.utf8)
      case 0x0d: json += Array(#"\r"#.utf8)
      case 0x09: json += Array(#"\t"#.utf8)
      case 0..<0x10: json += Array(#"\u000"#.utf8) + Array(String(byte, radix: 16).utf8)
      case 0x10..<0x20: json += Array(#"\u001"#.utf8) + Array(String(byte & 0xf, radix: 16).utf8)
      default: json.append(byte)
      }
    }
    return json + [0x22]
  }

  @Test(arguments: 0...40) func `every character is written as it must be at every place`(_ length: Int) {
    // Around it, what is next to the special ones, and what has its highest bits set.
    let neighbors: [Character] = ["a", "!", "\u{7f}", "\u{e9}"]
    let characters =
      (0...0xff).compactMap { Unicode.Scalar($0) }.map(Character.init) + ["\u{1f511}", "\u{2022}"]
    for place in 0..<length {
      for character in characters {
        var text = Array(repeating: neighbors[(place + length) % neighbors.count], count: length)
        text[place] = character
        // A second one, behind the first.
        if place % 3 == 0 { text[length - 1] = "\\" }
        let string = String(text)
        var writer = JSONWriter()
        writer.value(string)
        if writer.bytes != reference(string) { Issue.record("\(string.debugDescription) at \(place)") }
      }
    }
  }

  @Test(arguments: 0...40) func `text that needs no escape is copied`(_ length: Int) {
    for character in ["a", "!", "#", "[", "]", " ", "\u{7f}", "\u{80}", "\u{e9}", "\u{10ffff}"] {
      let string = String(repeating: character, count: length)
      #expect(text { $0.object { $0.member(string, string) } } == "{\"\(string)\":\"\(string)\"}")
    }
  }

  @Test func `plain text is written by whoever has it`() {
    let text = text { writer in
      writer.array { writer in
        for letter in "ab".utf8 { writer.value(plain: 3) { $0.append(repeating: letter, count: 3) } }
        writer.value(plain: 8) { _ in }
      }
    }
    #expect(text == #"["aaa","bbb",""]"#)
  }

  @Test func `an integer has as many digits as it needs`() {
    var number: Int64 = 1
    for _ in 0..<18 {
      for near in [number - 1, number, number + 1] {
        #expect(text { $0.value(near) } == "\(near)" && text { $0.value(-near) } == "\(-near)")
      }
      number *= 10
    }
  }

  @Test(arguments: [0, 1, -1, 9, 10, 99, 100, 1_234_567_890, Int64.max, Int64.min, -10])
  func `An integer has all its digits`(_ number: Int64) {
    #expect(text { $0.value(number) } == "\(number)")
  }

  @Test(arguments: [
    0.0, -0.0, 1.5, 0.1, 1e300, .leastNonzeroMagnitude, 1e20, -1.25, .greatestFiniteMagnitude,
  ])
  func `A double reads back as the same`(_ number: Double) throws {
    let json = text { $0.value(number) }
    #expect(try JSONDecoder().decode(Double.self, from: Data(json.utf8)) == number)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity]) func `What JSON cannot say is null`(_ number: Double)
  {
    #expect(text { $0.value(number) } == "null")
  }

  @Test func `fragments are written as if their members were, and may end with a name`() {
    let (first, name) = (JSONWriter.fragment { $0.member("a", 1) }, JSONWriter.fragment { $0.name("b") })
    var writer = JSONWriter()
    writer.object { writer in
      writer.fragment(first)
      writer.fragment(name)
      writer.value("c")
      writer.fragment(first)
      writer.member("d", true)
    }
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":1,"b":"c","a":1,"d":true}"#)
  }
}
