import Cryptography
import Fixtures
import Foundation
import PKIX
import Testing

@testable import UsherClient

@Suite struct IdentityFolderTests {
  let temporary: TemporaryFolder
  let folder: IdentityFolder

  init() throws {
    temporary = try TemporaryFolder()
    folder = IdentityFolder("\(temporary.path)/identity")
  }

  private let certificate = IssuedCertificate(
    chainPEM: "a chain\n", identity: "laptop", organization: "acme", deviceURL: "https://localhost:8443",
    notAfter: 2,
    renewAfter: 1)

  private func contents(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
  }

  @Test func `a key is made once, for its owner alone, and used again until it has a certificate`() throws {
    let key = try folder.prepareKey()
    let text = try contents("key.pem")
    #expect(text.hasPrefix("-----BEGIN PRIVATE KEY-----"))
    let mode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/key.pem")[.posixPermissions]
    #expect(mode as? Int == 0o600 && "\(key)" == "<redacted>" && "\(folder)".contains("identity"))
    let again = try folder.prepareKey()
    #expect(again.privateKey.publicKey == key.privateKey.publicKey)
    #expect(try contents("key.pem") == text)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key.pem"])

    try folder.complete(with: certificate, authorityPEM: Array("an authority\n".utf8))
    #expect(throws: ClientError.self) { try folder.prepareKey() }
    #expect(try contents("key.pem") == text && contents("chain.pem") == "a chain\n")
    #expect(try contents("server-ca.pem") == "an authority\n")
    #expect(
      try contents("identity.json")
        == "{\"deviceURL\":\"https://localhost:8443\",\"organization\":\"acme\",\"identity\":\"laptop\"}\n")
    let identity = try folder.read()
    #expect(identity.identity == "laptop" && identity.key.privateKey.publicKey == key.privateKey.publicKey)
  }

  @Test func `a key file that exists is never overwritten`() throws {
    let path = try temporary.write("something dear", to: "key.pem")
    #expect(throws: ClientError.self) { try DeviceKey(creatingAt: path) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "something dear")
    #expect(throws: ClientError.self) { try DeviceKey(readingFrom: path) }
    #expect(throws: ClientError.self) { try IdentityFolder(temporary.path).prepareKey() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == ["key.pem"])
  }

  @Test func `what cannot be read says which file`() throws {
    let error = #expect(throws: ClientError.self) { try folder.read() }
    #expect(error?.description == "open \(folder.path)/chain.pem: No such file or directory")
    _ = try folder.prepareKey()
    try folder.complete(with: certificate, authorityPEM: [])
    try "{}".write(toFile: "\(folder.path)/identity.json", atomically: true, encoding: .utf8)
    let incomplete = #expect(throws: ClientError.self) { try folder.read() }
    #expect(
      incomplete?.description == "\(folder.path)/identity.json must hold deviceURL, organization and identity"
    )
  }

  @Test func `a request carries the key and proves it`() throws {
    let key = try folder.prepareKey()
    let request = try CertificationRequest(key.certificationRequest(commonName: "laptop")).verified()
    #expect(request.publicKey == key.privateKey.publicKey && request.commonName == "laptop")
  }
}
