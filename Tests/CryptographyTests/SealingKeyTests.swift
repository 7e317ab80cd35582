import Cryptography
import Testing

struct SealingKeyTests {
  private let key = SealingKey(bytes: Array(0..<32))!
  private let place = Array("acme/1".utf8)

  @Test(arguments: [0, 1, 15, 16, 17, 4096]) func `what is sealed opens again in its place`(_ count: Int)
    throws
  {
    let secret = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let sealed = try key.seal(secret, authenticating: place)
    #expect(try key.open(sealed, authenticating: place) == secret)
  }

  @Test func `it opens in no other place and under no other key`() throws {
    let sealed = try key.seal([1, 2, 3], authenticating: place)
    #expect(throws: OpenSSLError.self) { try key.open(sealed, authenticating: Array("acme/2".utf8)) }
    #expect(throws: OpenSSLError.self) { try key.open(sealed, authenticating: []) }
    let other = SealingKey(bytes: Array(1..<33))!
    #expect(throws: OpenSSLError.self) { try other.open(sealed, authenticating: place) }
  }

  @Test func `a flipped bit anywhere is found`() throws {
    let sealed = try key.seal([1, 2, 3], authenticating: place)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: OpenSSLError.self) { try key.open(changed, authenticating: place) }
    }
    for length in sealed.indices {
      #expect(throws: OpenSSLError.self) { try key.open(Array(sealed.prefix(length)), authenticating: place) }
    }
  }

  @Test func `two seals of one secret differ`() throws {
    #expect(try key.seal([1], authenticating: place) != key.seal([1], authenticating: place))
  }

  @Test func `a key file may be hexadecimal or base64`() throws {
    let text = try SealingKey.makeText()
    let read = try #require(SealingKey(text: text))
    let bytes = try #require(Hexadecimal.decode(String(decoding: text.dropLast(), as: UTF8.self)))
    #expect(SealingKey(text: Array((Base64.encode(bytes) + "\n").utf8))?.id == read.id)
    #expect(SealingKey(text: Array("too short".utf8)) == nil)
    #expect("\(read)" == "<redacted>")
  }
}
