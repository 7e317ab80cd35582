import Cryptography
import Fixtures
import PKIX
import Testing

struct RevocationListTests {
  @Test func `a list is read in DER and in PEM, and says who is revoked, since when and why`() throws {
    let root = try TestAuthority.root()
    let (revoked, other) = (try root.leaf().certificate, try root.leaf().certificate)
    let der = try TestRevocationList(revoking: revoked, reason: .keyCompromise).signed(by: root)
    let list = try RevocationList(der)
    #expect(list.issuer == root.certificate.subject && list.number == SerialNumber(bytes: [1]))
    #expect(list.thisUpdate == TestClock.now - 60 && list.nextUpdate == TestClock.now + 3600)
    #expect(try list.authorityKeyIdentifier == root.certificate.subjectKeyIdentifier)
    #expect(
      list.entry(for: revoked.serialNumber)
        == .init(
          serialNumber: revoked.serialNumber, revokedAt: TestClock.now - 120, reason: .keyCompromise))
    #expect(list.entry(for: other.serialNumber) == nil && list.entries.count == 1)
    #expect(list.isSigned(by: root.key.publicKey))
    #expect(try !list.isSigned(by: TestAuthority.root().key.publicKey))
    #expect(!list.isStale(at: list.nextUpdate) && list.isStale(at: list.nextUpdate + 1))
    #expect(try RevocationList(Array(list.pem.utf8)).der == der)
  }

  static let faults: [(RevocationListError, @Sendable (inout TestRevocationList) -> Void)] = [
    (.malformed("version"), { $0.version = 0 }),
    (.malformed("number is missing"), { $0.number = [] }),
    (.malformed("number is critical"), { $0.isNumberCritical = true }),
    (.malformed("number is negative"), { $0.number = [0x80] }),
    (.malformed("number is negative"), { $0.number = [UInt8](repeating: 1, count: 21) }),
    (.malformed("nextUpdate"), { $0.nextUpdate = nil }),
    (.malformed("nextUpdate"), { $0.nextUpdate = $0.thisUpdate - 1 }),
    (.malformed("issuer"), { $0.issuer = .empty }),
    (.malformed("extensions"), { $0.additionalExtensions = [.authorityKeyIdentifier([1])] }),
    (.delta, { $0.additionalExtensions = [extended("2.5.29.27", [0x02, 0x01, 0x01])] }),
    (.indirect, { $0.additionalExtensions = [extended("2.5.29.28", [0x30, 3, 0x84, 1, 0xff])] }),
    (.partial, { $0.additionalExtensions = [extended("2.5.29.28", [0x30, 3, 0x81, 1, 0xff])] }),
    (.partial, { $0.additionalExtensions = [extended("2.5.29.28", [0x30, 3, 0x82, 1, 0xff])] }),
    (.partial, { $0.additionalExtensions = [extended("2.5.29.28", [0x30, 4, 0x83, 2, 1, 0x80])] }),
    (.partial, { $0.additionalExtensions = [extended("2.5.29.28", [0xff])] }),
    (
      .unknownCriticalExtension(ObjectIdentifier("1.2.3.4")),
      { $0.additionalExtensions = [extended("1.2.3.4", [0x05, 0])] }
    ),
    (.indirect, { $0.entryExtensions = [extended("2.5.29.29", [0x30, 0])] }),
    (
      .unknownCriticalExtension(ObjectIdentifier("1.2.3.4")),
      { $0.entryExtensions = [extended("1.2.3.4", [0x05, 0])] }
    ),
    (.malformed("entries"), { $0.entryExtensions = [extended("2.5.29.21", [0x0a, 1, 8])] }),
    (.malformed("entries"), { $0.entryExtensions = [extended("2.5.29.21", [0x0a, 1, 7])] }),
    (.malformed("entries"), { $0.entryExtensions = [extended("2.5.29.21", [0x02, 1, 1])] }),
    (
      .malformed("entries"),
      { $0.entryExtensions = .init(repeating: extended("2.5.29.21", [0x0a, 1, 1]), count: 2) }
    ),
  ]

  static func extended(_ identifier: String, _ contents: [UInt8]) -> CertificateExtension {
    CertificateExtension(ObjectIdentifier(identifier), isCritical: true, contents: contents)
  }

  @Test(arguments: faults.indices)
  func `a list with one fault, and one that is not complete, is refused for it`(index: Int) throws {
    let (expected, change) = Self.faults[index]
    let root = try TestAuthority.root()
    var contents = TestRevocationList(revoking: root.certificate)
    change(&contents)
    let error = #expect(throws: RevocationListError.self) { try RevocationList(contents.signed(by: root)) }
    if case .malformed(let part) = expected, case .malformed(let found) = error {
      #expect(found.hasPrefix(part))
    } else {
      #expect(error == expected)
    }
  }

  @Test func `what is no list, or more than one, is refused`() throws {
    let root = try TestAuthority.root()
    let der = try TestRevocationList().signed(by: root)
    let pem = try Array(RevocationList(der).pem.utf8)
    for contents in [
      [], [0x30], Array("hello".utf8), der + [0], pem + pem, Array(root.certificate.pem.utf8),
      root.certificate.der,
      Array(der.dropLast()),
    ] {
      #expect(throws: RevocationListError.self) { try RevocationList(contents) }
    }
  }

  @Test func `a list that openssl made is read`() throws {
    let folder = try TemporaryFolder()
    let root = try TestAuthority.root()
    let key = try folder.write(String(decoding: root.key.secretPEM(), as: UTF8.self), to: "ca.key")
    let certificate = try folder.write(root.certificate.pem, to: "ca.pem")
    let index = try folder.write(
      "R\t300101000000Z\t250101000000Z,superseded\t0A0B\tunknown\t/CN=x\n", to: "index")
    let number = try folder.write("1000\n", to: "number")
    let configuration = try folder.write(
      "[ca]\ndefault_ca=a\n[a]\ndatabase=\(index)\ncrlnumber=\(number)\ndefault_md=sha256\n", to: "ca.cnf")
    let pem = try OpenSSLTool.run([
      "ca", "-gencrl", "-config", configuration, "-cert", certificate, "-keyfile", key, "-crldays", "7",
    ])
    let list = try RevocationList(pem)
    #expect(list.number == SerialNumber(bytes: [0x10, 0x00]) && list.authorityKeyIdentifier == nil)
    #expect(list.entry(for: SerialNumber(bytes: [0x0a, 0x0b]))?.reason == .superseded)
    #expect(list.isSigned(by: root.key.publicKey))
  }
}
