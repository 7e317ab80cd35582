import Testing

@testable import UsherCommand

@Suite struct GivenArgumentsTests {
  static let port = Option<UInt16>("port", "PORT", default: 8443, "A port")
  static let file = Option<String>("file", "FILE", required: true, "A file")
  static let url = Option<String>("url", "URL", required: false, "A URL")
  static let demo = Flag("demo", "A flag")
  static let product = Operand("PRODUCT", "A word")
  static let arguments: [any Argument] = [port, file, url, demo, product]

  private func given(_ words: String...) throws(UsageError) -> GivenArguments {
    try GivenArguments(words, of: Self.arguments)
  }

  @Test func `options, flags and operands may stand in any order and form`() throws {
    let given = try given("--file=a=b", "studio", "--demo", "--port", "0")
    #expect(try given.value(Self.file) == "a=b")
    #expect(try given.value(Self.port) == 0)
    #expect(try given.optional(Self.url) == nil)
    #expect(given.isGiven(Self.demo))
    #expect(try given.word(Self.product) == "studio")
  }

  @Test func `what is not given has its default`() throws {
    let given = try given("--file", "x", "studio")
    #expect(try given.value(Self.port) == 8443)
    #expect(!given.isGiven(Self.demo))
  }

  @Test func `after two dashes every word is an operand`() throws {
    #expect(try given("--file", "x", "--", "--demo").word(Self.product) == "--demo")
  }

  @Test(arguments: [
    (["--fil", "x"], UsageError.unknownOption("--fil", suggestion: "--file")),
    (["--xyz=1"], .unknownOption("--xyz", suggestion: nil)),
    (["-f"], .unknownOption("-f", suggestion: nil)),
    (["--file"], .missingValue("--file")),
    (["--demo=yes"], .unwantedValue("--demo")),
    (["--file", "x", "--file=y"], .givenTwice("--file")),
    (["--demo", "--demo"], .givenTwice("--demo")),
    (["--file", "x", "a", "b"], .unwantedWord("b")),
    (["--file", "x"], .missing("PRODUCT")),
    (["studio"], .missing("--file FILE")),
  ])
  func `each mistake is told apart`(words: [String], expected: UsageError) {
    #expect(throws: expected) { try GivenArguments(words, of: Self.arguments) }
  }

  @Test(arguments: ["65536", "-1", "http", ""])
  func `a value of the wrong kind is named with what is allowed`(word: String) throws {
    let given = try given("--file", "x", "studio", "--port=\(word)")
    let error = #expect(throws: UsageError.self) { try given.value(Self.port) }
    #expect(error?.description == "--port is \"\(word)\"; allowed: a port from 0 (any free one) to 65535")
  }
}
