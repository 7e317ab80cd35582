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

  @Test func `HKDF as the first 32 bytes of RFC 5869, test case 1`() throws {
    let key = try HKDF.sha256(
      [UInt8](repeating: 0x0b, count: 22), salt: Array(0x00...0x0c), information: Array(0xf0...0xf9))
    #expect(Hexadecimal.encode(key) == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf")
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
