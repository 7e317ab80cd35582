import Cryptography
import Fixtures
import PKIX
import Testing

/// Lists that we sign, as `openssl` reads them.
struct RevocationListWritingTests {
  private static func authority(_ keyType: KeyType = .p256) throws -> IssuingAuthority {
    try IssuingAuthority.root(
      RootProfile(commonName: "Lists", permittedURIHost: "acme.example"),
      signer: PrivateKey(generating: keyType),
      at: TestClock.now)
  }

  private static func list(_ entries: [RevocationList.Entry] = [], number: Int64 = 1)
    -> RevocationListContents
  {
    RevocationListContents(
      number: number, thisUpdate: TestClock.now - 300, nextUpdate: TestClock.now + 86_400, entries: entries)
  }

  @Test(arguments: [KeyType.p256, .p384, .rsa3072])
  func `openssl verifies the signature and reads every field`(_ keyType: KeyType) throws {
    let authority = try Self.authority(keyType)
    let folder = try TemporaryFolder()
    let anchor = try folder.write(authority.certificate.pem, to: "ca.pem")
    let list = try folder.write(
      authority.sign(
        Self.list(
          [
            .init(
              serialNumber: SerialNumber(bytes: [0x40, 0x01]), revokedAt: 1_700_000_000,
              reason: .keyCompromise),
            .init(serialNumber: SerialNumber(bytes: [0xff]), revokedAt: 1_700_000_001, reason: .unspecified),
          ], number: 300)), to: "list.crl")
    let text = String(
      decoding: try OpenSSLTool.run(
        ["crl", "-inform", "DER", "-in", list, "-CAfile", anchor, "-noout", "-text", "-nameopt", "oneline"]),
      as: UTF8.self)
    #expect(text.contains("Version 2 (0x1)"))
    #expect(text.contains("Issuer: CN = Lists"))
    #expect(text.contains("Serial Number: 4001") && text.contains("Serial Number: FF"))
    #expect(text.contains("Key Compromise") && !text.contains("Unspecified"))
    #expect(text.contains("X509v3 CRL Number: \n                300"))
    #expect(text.contains("X509v3 Authority Key Identifier"))
    let verdict = try OpenSSLTool.attempt(
      ["crl", "-inform", "DER", "-in", list, "-CAfile", anchor, "-noout", "-verify"])
    #expect(verdict.errors.contains("verify OK"), "\(verdict.errors)")
  }

  @Test func `a list of nobody is a list too`() throws {
    let authority = try Self.authority()
    let text = String(
      decoding: try OpenSSLTool.run(
        ["crl", "-inform", "DER", "-noout", "-text"], input: authority.sign(Self.list())),
      as: UTF8.self)
    #expect(text.contains("No Revoked Certificates."), "\(text)")
  }

  @Test func `a hundred thousand entries are one list of a few megabytes`() throws {
    let authority = try Self.authority()
    let entries = (0..<100_000).map { number in
      RevocationList.Entry(
        serialNumber: SerialNumber(bytes: [0x40] + [UInt8](repeating: 7, count: 12) + Self.bytes(number)),
        revokedAt: TestClock.now, reason: .superseded)
    }
    let list = try authority.sign(Self.list(entries))
    #expect((4_000_000..<6_000_000).contains(list.count), "\(list.count)")
    let last = SerialNumber(bytes: [0x40] + [UInt8](repeating: 7, count: 12) + Self.bytes(99_999))
    let text = String(
      decoding: try OpenSSLTool.run(["crl", "-inform", "DER", "-noout", "-text"], input: list), as: UTF8.self)
    #expect(text.contains(last.description.uppercased()))
  }

  private static func bytes(_ number: Int) -> [UInt8] {
    [
      UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 8),
      UInt8(truncatingIfNeeded: number),
    ]
  }
}
