import Cryptography
import Testing

struct SealingKeyTests {
  private let key = SealingKey(bytes: Array(0..<32))!
  private let place = Array("acme/1".utf8)

  @Test(arguments: [0, 1, 15, 16, 17, 4096]) func `what is sealed opens again in its place`(_ count: Int)
    throws
  {
    let secret = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let sealed = try key.seal(SecretBytes(copying: secret), authenticating: place)
    let opened = try key.open(sealed, authenticating: place)
    let isSame = opened.equals(secret)
    #expect(isSame)
  }

  @Test func `it opens in no other place and under no other key`() throws {
    let sealed = try key.seal(SecretBytes(copying: [1, 2, 3]), authenticating: place)
    #expect(throws: OpenSSLError.self) { _ = try key.open(sealed, authenticating: Array("acme/2".utf8)) }
    #expect(throws: OpenSSLError.self) { _ = try key.open(sealed, authenticating: []) }
    let other = SealingKey(bytes: Array(1..<33))!
    #expect(throws: OpenSSLError.self) { _ = try other.open(sealed, authenticating: place) }
  }

  @Test func `a flipped bit anywhere is found`() throws {
    let sealed = try key.seal(SecretBytes(copying: [1, 2, 3]), authenticating: place)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: OpenSSLError.self) { _ = try key.open(changed, authenticating: place) }
    }
    for length in sealed.indices {
      #expect(throws: OpenSSLError.self) {
        _ = try key.open(Array(sealed.prefix(length)), authenticating: place)
      }
    }
  }

  private func seal(_ secret: [UInt8]) throws -> [UInt8] {
    try key.seal(SecretBytes(copying: secret), authenticating: place)
  }

  @Test func `a ring opens what any of its keys sealed, and seals under the first`() throws {
    let new = SealingKey(bytes: Array(1..<33))!
    let ring = SealingKeyRing(new, earlier: [key])
    for sealed in [
      try seal([1, 2]), try ring.seal(SecretBytes(copying: [1, 2]), authenticating: place),
    ] {
      let opened = try ring.open(sealed, authenticating: place)
      let isSame = opened.equals([1, 2])
      #expect(isSame)
    }
    let sealed = try ring.seal(SecretBytes(copying: [1, 2]), authenticating: place)
    #expect(new.hasSealed(sealed) && !key.hasSealed(sealed) && ring.id == new.id)
    #expect(throws: OpenSSLError.self) {
      _ = try SealingKeyRing(new).open(seal([1]), authenticating: place)
    }
  }

  @Test func `two seals of one secret differ`() throws {
    #expect(try seal([1]) != seal([1]))
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
