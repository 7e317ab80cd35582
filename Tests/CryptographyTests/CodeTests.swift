import Cryptography
import Testing

struct CodeTests {
  @Test func `HMAC as RFC 4231 has it, and with nothing at all`() throws {
    let key = [UInt8](repeating: 0x0b, count: 20)
    let code = try HMAC.sha256(Array("Hi There".utf8), key: key)
    #expect(Hexadecimal.encode(code) == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    #expect(try HMAC.isValid(code, for: Array("Hi There".utf8), key: key))
    #expect(try !HMAC.isValid(code, for: Array("Hi There!".utf8), key: key))
    #expect(
      Hexadecimal.encode(try HMAC.sha256([], key: []))
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  @Test func `bytes are equal in constant time`() {
    #expect(ConstantTime.equal([1, 2], [1, 2]))
    #expect(ConstantTime.equal([], []))
    #expect(!ConstantTime.equal([1, 2], [1, 3]))
    #expect(!ConstantTime.equal([1, 2], [1]))
  }

  @Test func `random bytes are as many as asked, and differ`() throws {
    #expect(try RandomBytes.make(32).count == 32)
    #expect(try RandomBytes.make(32) != RandomBytes.make(32))
    #expect(try RandomBytes.make(0).isEmpty)
  }
}
