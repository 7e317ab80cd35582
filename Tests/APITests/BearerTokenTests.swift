import API
import Testing

@Suite("Bearer tokens")
struct BearerTokenTests {
  @Test("a token has its prefix, 256 bits, and a hash; it is read back", arguments: BearerToken.Kind.allCases)
  func roundTrip(kind: BearerToken.Kind) throws {
    let token = try BearerToken(kind, random: (0..<32).map { UInt8($0) })
    #expect(token.secret == kind.rawValue + "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
    #expect(token.hash.count == 32)
    #expect(BearerToken(token.secret, of: [kind])?.hash == token.hash)
    for other in BearerToken.Kind.allCases where other != kind {
      #expect(BearerToken(token.secret, of: [other]) == nil)
    }
  }

  @Test(
    "what cannot be a token is not looked up",
    arguments: [
      "", "usher_op_", "usher_op_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh", "Usher_op_AAECAwQF",
      "usher_op_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
      "usher_op_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+",
      " usher_op_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
    ])
  func malformed(text: String) {
    #expect(BearerToken(text, of: Set(BearerToken.Kind.allCases)) == nil)
  }

  @Test("a token never prints itself")
  func redacted() throws {
    let token = try BearerToken(.operator, random: [UInt8](repeating: 1, count: 32))
    #expect("\(token)" == "<redacted>" && String(reflecting: token) == "<redacted>")
  }
}
