import Cryptography
import Foundation
import PKIX
import Testing

@testable import TLS

@Suite struct CredentialTests {
  let certificates: TestCertificates

  init() throws { certificates = try TestCertificates.shared.get() }

  private func message(_ body: () throws -> Credential) -> String {
    do {
      _ = try body()
      return "accepted"
    } catch { return "\(error)" }
  }

  @Test func `certificate and key that do not belong together are no credential, and say why`() throws {
    #expect(
      message { try certificates.credential("server", key: "client") }
        == "the private key is not the one of the certificate CN=server")
    #expect(
      message { try Credential(chain: [], privateKey: PrivateKey(generating: .p256)) }
        == "there is no certificate")
    let server = try certificates.credential("server")
    #expect(
      message {
        try Credential(
          chain: [server.chain[0], certificates.certificate("stranger")], privateKey: server.privateKey)
      } == "the chain is out of order: CN=server is followed by CN=Stranger, but its issuer is CN=Authority")
    #expect(
      message {
        try Credential(
          chain: server.chain + [certificates.certificate("authority")], privateKey: server.privateKey)
      } == "accepted")
    let text = [UInt8]("-----BEGIN CERTIFICATE-----\nnonsense".utf8)
    #expect(
      message { try Credential(chainPEM: text, privateKeyPEM: []) }.hasPrefix(
        "the certificate cannot be read: "))
  }

  @Test func `a key that is too weak stops the start`() throws {
    try OpenSSLCommand.run([
      "req", "-x509", "-newkey", "rsa:1024", "-nodes", "-subj", "/CN=weak", "-keyout",
      certificates.path("weak.key"),
      "-out", certificates.path("weak.pem"),
    ])
    let error = #expect(throws: TLSConfigurationError.self) {
      try ServerContext<ScriptedVerifier>(
        credential: certificates.credential("weak"), clientCertificates: .none)
    }
    #expect(error?.description.contains("key too small") == true)
  }

  @Test func `a broken replacement leaves the old certificate`() throws {
    let context = try ServerContext<ScriptedVerifier>(
      credential: certificates.credential("server"), clientCertificates: .none)
    #expect(throws: TLSConfigurationError.self) {
      try context.replaceCredential(certificates.credential("replacement", key: "server"))
    }
    let wire = Wire()
    let client = try ClientContext(authorities: [certificates.certificate("server")])
    let ends = shakeHands(
      try context.makeStream(descriptor: wire.near),
      try client.makeStream(descriptor: wire.far, host: "localhost"))
    guard case (.established, .established) = ends else { throw Unexpected(ends) }
  }
}
