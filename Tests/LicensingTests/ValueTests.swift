import Licensing
import Testing

struct ValueTests {
  @Test func `an id reads back as it was written, whatever the case`() throws {
    let id = Identifier(at: Instant(seconds: 1_796_000_000), random: (.max, 0x1234_5678_9ABC_DEF0))
    #expect(Identifier(id.description) == id)
    #expect(Identifier(id.description.uppercased()) == id)
    #expect(Array(id.description)[14] == "7")
  }

  @Test func `ids made later sort later`() {
    let early = Identifier(at: Instant(seconds: 100), random: (.max, .max))
    let late = Identifier(at: Instant(seconds: 101), random: (0, 0))
    #expect(early.description < late.description)
  }

  @Test(arguments: [
    "", "0190", "0190a000-0000-7000-8000-00000000000", "0190a000-0000-7000-8000-0000000000000",
    "0190a0000000-7000-8000-0000-00000000000", "g190a000-0000-7000-8000-000000000000",
    "0190a000-0000-7000-8000-00000000000é",
  ])
  func `what is not a UUID is no id`(_ text: String) { #expect(Identifier(text) == nil) }

  @Test(arguments: ["a", "acme", "a-b", "0", "xn--a", String(repeating: "a", count: 63)])
  func `a DNS label is a slug`(_ text: String) { #expect(Slug(text)?.description == text) }

  @Test(arguments: ["", "-a", "a-", "A", "a.b", "a_b", "ä", "a\n", String(repeating: "a", count: 64)])
  func `what is not a DNS label is no slug`(_ text: String) { #expect(Slug(text) == nil) }

  @Test(arguments: ["a", "user@example.com", "spiffe://a/b", "A.b_c:d-e", String(repeating: "x", count: 256)])
  func `an identity may be named so`(_ text: String) { #expect(IdentityName(text) != nil) }

  @Test(arguments: [
    "", ".", "..", "a b", "a\u{0}", "ä", "a%20", "0190a000-0000-7000-8000-000000000000",
    "0190A000-0000-7000-8000-000000000000", String(repeating: "x", count: 257),
  ])
  func `an identity may not be named so`(_ text: String) { #expect(IdentityName(text) == nil) }

  @Test func `seconds round down on both sides of 1970`() {
    #expect(Instant(microseconds: 1_999_999).seconds == 1)
    #expect(Instant(microseconds: -1).seconds == -1)
  }
}
