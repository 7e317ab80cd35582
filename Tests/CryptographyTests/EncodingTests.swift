import Cryptography
import Testing

struct EncodingTests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
  ])
  func `base64 as RFC 4648 has it`(plain: String, encoded: String) {
    #expect(Base64.encode(Array(plain.utf8)) == encoded)
    #expect(Base64.decode(encoded) == Array(plain.utf8))
    let url = encoded.filter { $0 != "=" }
    #expect(Base64.encodeURL(Array(plain.utf8)) == url)
    #expect(Base64.decodeURL(url) == Array(plain.utf8))
  }

  @Test(arguments: ["Zg", "Zg=", "Zg===", "Zh==", "Zm9v\n", "Zm9-", "=", "====", "Z=g="])
  func `base64 that is not exactly right is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test func `hexadecimal both ways`() {
    #expect(Hexadecimal.encode([0, 0x0f, 0xab]) == "000fab")
    #expect(Hexadecimal.decode("000FaB") == [0, 0x0f, 0xab])
    #expect(Hexadecimal.decode("0") == nil)
    #expect(Hexadecimal.decode("0g") == nil)
  }

  @Test func `SHA-256 of abc, in any spelling`() throws {
    let digest = try SHA256Digest(hashing: Array("abc".utf8))
    let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(digest.hexadecimal == text)
    #expect(SHA256Digest(hexadecimal: text.uppercased()) == digest)
    let pairs = stride(from: 0, to: 64, by: 2).map { String(text.dropFirst($0).prefix(2)) }
    #expect(SHA256Digest(hexadecimal: pairs.joined(separator: ":")) == digest)
    #expect(SHA256Digest(bytes: digest.bytes) == digest)
    #expect(SHA256Digest(hexadecimal: "ba78") == nil)
  }
}
