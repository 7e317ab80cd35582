import Fixtures
import Foundation
import Testing

@testable import Cryptography

struct JWSTests {
  private static let header = Array(#"{"alg":"ES256","kid":"k"}"#.utf8)
  private static let payload = Array(#"{"sub":"laptop"}"#.utf8)

  @Test func `what is signed is read back and verifies under its own key alone`() throws {
    let key = try PrivateKey(generating: .p256)
    let text = try CompactJWS.sign(Self.payload, header: Self.header, by: key)
    let jws = try #require(CompactJWS(text))
    #expect(jws.header == Self.header && jws.payload == Self.payload)
    #expect(jws.isSigned(by: key.publicKey))
    #expect(!jws.isSigned(by: try PrivateKey(generating: .p256).publicKey))
    #expect(!jws.isSigned(by: try PrivateKey(generating: .p384).publicKey))
  }

  /// RFC 7515 appendix A.3.
  @Test func `the example of the RFC verifies`() throws {
    let text =
      "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    let key = try #require(
      PublicKey(
        p256X: Base64.decodeURL("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")!,
        y: Base64.decodeURL("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")!))
    let jws = try #require(CompactJWS(text))
    #expect(jws.isSigned(by: key))
    #expect(String(decoding: jws.header, as: UTF8.self) == #"{"alg":"ES256"}"#)
  }

  @Test func `every flipped bit of a signature or payload is noticed`() throws {
    let key = try PrivateKey(generating: .p256)
    let text = Array(try CompactJWS.sign(Self.payload, header: Self.header, by: key).utf8)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    for index in text.indices where text[index] != UInt8(ascii: ".") {
      var changed = text
      let value = try #require(alphabet.firstIndex(of: text[index]))
      changed[index] = alphabet[value ^ 4]
      let jws = CompactJWS(String(decoding: changed, as: UTF8.self))
      #expect(jws.map { $0.isSigned(by: key.publicKey) } != true, "\(index)")
    }
  }

  @Test(arguments: [
    "", ".", "..", "a.b", "e30.e30", "e30.e30.e30.e30", "e30=.e30.", "e30.e30.=", " e30.e30.e30",
  ])
  func `what is no compact serialization is not read, or not believed`(_ text: String) throws {
    let key = try PrivateKey(generating: .p256)
    #expect(CompactJWS(text).map { $0.isSigned(by: key.publicKey) } != true)
  }

  @Test(arguments: 0..<64)
  func `signatures go from DER to raw and back, however many zeros lead`(_ zeros: Int) {
    let raw = [UInt8](repeating: 0, count: zeros) + (zeros..<64).map { UInt8(255 - $0) }
    let der = ECDSASignature.der(raw: raw)
    #expect(der.flatMap(ECDSASignature.raw) == raw)
  }

  @Test(
    arguments: [
      [], [0x30], [0x30, 0x00], [0x30, 0x02, 0x02, 0x00], [0x30, 0x03, 0x02, 0x01, 0x01],
      [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x00],
      [0x30, 0x47, 0x02, 0x22] + [UInt8](repeating: 1, count: 34) + [0x02, 0x21]
        + [UInt8](repeating: 1, count: 33),
    ] as [[UInt8]])
  func `what is no DER of a signature is refused`(_ der: [UInt8]) {
    #expect(ECDSASignature.raw(der: der) == nil)
  }

  @Test func `the thumbprint of RFC 7638 is the RFC's`() throws {
    // Section 3.1, as a SubjectPublicKeyInfo.
    let modulus = Base64.decodeURL(
      "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
    )!
    let numbers: [UInt8] = [0x02, 0x82, 0x01, 0x01, 0x00] + modulus + [0x02, 0x03, 0x01, 0x00, 0x01]
    let key: [UInt8] = [0x30, 0x82, 0x01, 0x0a] + numbers
    let spki: [UInt8] =
      [0x30, 0x82, 0x01, 0x22, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]
      + [0x05, 0x00, 0x03, 0x82, 0x01, 0x0f, 0x00] + key
    let jwk = try JSONWebKey(PublicKey(subjectPublicKeyInfo: spki))
    #expect(try jwk?.thumbprint() == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
  }

  @Test(arguments: [(KeyType.p256, "EC"), (.p384, "EC"), (.rsa2048, "RSA")])
  func `openssl verifies the signature, and every kind of key has its form`(_ type: KeyType, _ kty: String)
    throws
  {
    let key = try PrivateKey(generating: type)
    #expect(try JSONWebKey(key.publicKey)?.json.contains("\"kty\":\"\(kty)\"") == true)
    guard type == .p256 else { return }
    let folder = try TemporaryFolder()
    let text = try CompactJWS.sign(Self.payload, header: Self.header, by: key)
    let parts = text.split(separator: ".")
    let der = try #require(ECDSASignature.der(raw: Base64.decodeURL(String(parts[2]))!))
    try Data(der).write(to: URL(fileURLWithPath: folder.path + "/signature"))
    let message = try folder.write("\(parts[0]).\(parts[1])", to: "message")
    let secret = try folder.write(String(decoding: key.secretPEM(), as: UTF8.self), to: "key.pem")
    let said = try OpenSSLTool.run([
      "dgst", "-sha256", "-prverify", secret, "-signature", folder.path + "/signature", message,
    ])
    #expect(String(decoding: said, as: UTF8.self).contains("Verified OK"))
  }
}
