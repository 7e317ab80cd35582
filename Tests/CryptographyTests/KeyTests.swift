import Cryptography
import Testing

struct KeyTests {
  @Test(arguments: [KeyType.p256, .p384, .rsa2048])
  func `a key signs, and survives PEM and DER`(type: KeyType) throws {
    let key = try PrivateKey(generating: type)
    #expect(key.publicKey.kind.description == type.rawValue)
    let message = Array("a message".utf8)
    for copy in [
      key, try PrivateKey(pem: key.secretPEM()), try PrivateKey(der: key.secretDER()),
    ] {
      #expect(copy.publicKey == key.publicKey)
      let signature = try copy.sign(message)
      let digest = copy.signatureAlgorithm.digest
      #expect(key.publicKey.verifies(signature, of: message, digest: digest))
      #expect(!key.publicKey.verifies(signature, of: message + [0], digest: digest))
    }
    #expect("\(key)" == "<redacted>")
  }

  @Test func `a failure empties the error queue and says why`() throws {
    let error = #expect(throws: OpenSSLError.self) { try PrivateKey(pem: Array("nothing".utf8)) }
    #expect(error?.operation == "PEM_read_bio_PrivateKey")
    #expect(error?.entries.isEmpty == false)
    #expect(OpenSSLCall.drain("nothing").entries.isEmpty)
  }

  @Test func `a public key with bytes left over is refused`() throws {
    let key = try PrivateKey(generating: .p256).publicKey
    #expect(try PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo) == key)
    #expect(throws: OpenSSLError.self) { try PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo + [0]) }
  }

  @Test func `the RSA exponent is known`() throws {
    #expect(try PrivateKey(generating: .rsa2048).publicKey.rsaExponent == 65537)
    #expect(try PrivateKey(generating: .p256).publicKey.rsaExponent == nil)
  }
}
