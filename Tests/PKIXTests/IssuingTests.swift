import Cryptography
import Fixtures
import PKIX
import Testing

struct IssuingTests {
  static let now = TestClock.now

  static func request(_ key: PrivateKey) throws -> VerifiedRequest {
    try CertificationRequest(CertificationRequest.make(commonName: "wish", signer: key)).verified()
  }

  static func root(_ host: String? = "acme.usher.example", type: KeyType = .p256) throws -> IssuingAuthority {
    try IssuingAuthority.root(
      RootProfile(commonName: "Acme CA", permittedURIHost: host), signer: PrivateKey(generating: type),
      at: now)
  }

  @Test(arguments: [KeyType.p256, .p384, .rsa3072])
  func `openssl verifies what every kind of authority issues`(type: KeyType) throws {
    let authority = try Self.root(type: type)
    var profile = LeafProfile(
      commonName: "laptop-7", uri: "spiffe://acme.usher.example/laptop-7", lifetime: 30 * 86_400)
    profile.crlURL = "http://usher.example/v1/authorities/1/crl"
    profile.ocspURL = "http://usher.example/v1/authorities/1/ocsp"
    profile.issuerURL = "http://usher.example/v1/authorities/1/certificate"
    let leaf = try authority.issue(profile, to: Self.request(PrivateKey(generating: .p256)), at: Self.now)
    let folder = try TemporaryFolder()
    let root = try folder.write(authority.certificate.pem, to: "root.pem")
    let file = try folder.write(leaf.pem, to: "leaf.pem")
    try OpenSSLTool.run([
      "verify", "-x509_strict", "-check_ss_sig", "-auth_level", "2", "-purpose", "sslclient", "-CAfile", root,
      file,
    ])
    let text = String(decoding: try OpenSSLTool.run(["x509", "-in", file, "-noout", "-text"]), as: UTF8.self)
    let extensions = text.split(separator: "X509v3 extensions:")[1].split(separator: "Signature Algorithm")[0]
    let lines = extensions.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    let identifier = { (bytes: [UInt8]) in
      bytes.map { Hexadecimal.encode([$0]).uppercased() }.joined(separator: ":")
    }
    #expect(
      lines.map { String($0).trimmed } == [
        "X509v3 Basic Constraints: critical", "CA:FALSE", "X509v3 Key Usage: critical", "Digital Signature",
        "X509v3 Subject Key Identifier:", identifier(leaf.computedKeyIdentifier),
        "X509v3 Authority Key Identifier:", identifier(authority.certificate.computedKeyIdentifier),
        "X509v3 Extended Key Usage:", "TLS Web Client Authentication", "X509v3 Subject Alternative Name:",
        "URI:spiffe://acme.usher.example/laptop-7", "X509v3 CRL Distribution Points:", "Full Name:",
        "URI:http://usher.example/v1/authorities/1/crl", "Authority Information Access:",
        "OCSP - URI:http://usher.example/v1/authorities/1/ocsp",
        "CA Issuers - URI:http://usher.example/v1/authorities/1/certificate",
      ])
    #expect(leaf.subject.description == "CN=laptop-7")
    #expect(leaf.notBefore == Self.now - 300 && leaf.notAfter == Self.now + 30 * 86_400)
    #expect(leaf.serialNumber.encodedLength == 16)
    #expect(text.contains("Version: 3"))
  }

  @Test func `the root says what it may sign, and openssl holds it to that`() throws {
    let key = try PrivateKey(generating: .p256)
    let authority = try IssuingAuthority.root(
      RootProfile(commonName: "Acme CA", permittedURIHost: "acme.usher.example"), signer: key, at: Self.now)
    let folder = try TemporaryFolder()
    let root = try folder.write(authority.certificate.pem, to: "root.pem")
    let text = String(decoding: try OpenSSLTool.run(["x509", "-in", root, "-noout", "-text"]), as: UTF8.self)
    for line in [
      "CA:TRUE, pathlen:0", "X509v3 Name Constraints: critical", "URI:acme.usher.example",
      "Certificate Sign, CRL Sign",
    ] { #expect(text.contains(line), "\(line)") }
    #expect(authority.certificate.notAfter == Self.now + 3652 * 86_400)

    let uri = "spiffe://other.usher.example/x"
    let request = try Self.request(PrivateKey(generating: .p256))
    #expect(throws: IssuingError.self) {
      try authority.issue(LeafProfile(commonName: "x", uri: uri, lifetime: 3600), to: request, at: Self.now)
    }
    let thief = TestAuthority(identity: TestIdentity(certificate: authority.certificate, key: key))
    let foreign = try thief.leaf { $0.names = [.uri(uri)] }.certificate
    let file = try folder.write(foreign.pem, to: "foreign.pem")
    let result = try OpenSSLTool.attempt(["verify", "-CAfile", root, file])
    #expect(result.status != 0)
    #expect(result.errors.contains("permitted subtree violation"))
  }

  @Test func `no certificate outlives its authority`() throws {
    let authority = try Self.root()
    let request = try Self.request(PrivateKey(generating: .p256))
    let profile = LeafProfile(commonName: "x", uri: "spiffe://acme.usher.example/x", lifetime: 30 * 86_400)
    let end = authority.certificate.notAfter
    #expect(try authority.issue(profile, to: request, at: end - 7200).notAfter == end)
    #expect(throws: IssuingError.self) { try authority.issue(profile, to: request, at: end - 3599) }
    #expect(throws: IssuingError.self) { try authority.issue(profile, to: request, at: end + 1) }
    #expect(throws: IssuingError.self) {
      try authority.issue(profile, to: request, at: authority.certificate.notBefore - 1)
    }
    let first = try authority.issue(profile, to: request, at: authority.certificate.notBefore)
    #expect(first.notBefore == authority.certificate.notBefore)
  }

  @Test func `a long name leaves the subject empty and makes the alternative name critical`() throws {
    let profile = LeafProfile(
      commonName: String(repeating: "n", count: 65), uri: "spiffe://acme.usher.example/n", lifetime: 3600)
    let authority = try Self.root()
    let leaf = try authority.issue(profile, to: Self.request(PrivateKey(generating: .p256)), at: Self.now)
    #expect(leaf.subject.isEmpty)
    let folder = try TemporaryFolder()
    try OpenSSLTool.run([
      "verify", "-x509_strict", "-CAfile", folder.write(authority.certificate.pem, to: "root.pem"),
      folder.write(leaf.pem, to: "leaf.pem"),
    ])
  }

  @Test(arguments: ["spiffe://a b", "spiffe://a\n,DNS:evil", "", "spiffe://\u{e4}", "none", "spiffe://a\0b"])
  func `names that could mean more than one thing are refused`(uri: String) throws {
    let authority = try Self.root(nil)
    let request = try Self.request(PrivateKey(generating: .p256))
    #expect(throws: IssuingError.self) {
      try authority.issue(LeafProfile(commonName: "x", uri: uri, lifetime: 3600), to: request, at: Self.now)
    }
    #expect(throws: IssuingError.self) {
      try authority.issue(
        LeafProfile(commonName: "x\n", uri: "a:b", lifetime: 3600), to: request, at: Self.now)
    }
  }

  @Test func `a server certificate is good for its names`() throws {
    let authority = try Self.root(nil)
    let key = try PrivateKey(generating: .p256)
    let profile = ServerProfile(
      dnsNames: ["localhost"], ipAddresses: [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]])
    let certificate = try authority.issue(profile, to: key.publicKey, at: Self.now)
    let folder = try TemporaryFolder()
    let root = try folder.write(authority.certificate.pem, to: "root.pem")
    let file = try folder.write(certificate.pem, to: "server.pem")
    for check in [["-verify_hostname", "localhost"], ["-verify_ip", "127.0.0.1"], ["-verify_ip", "::1"]] {
      try OpenSSLTool.run(
        ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", root] + check + [file])
    }
  }

  @Test func `an authority with another's key cannot be made`() throws {
    let authority = try Self.root()
    #expect(throws: IssuingError.wrongSigner) {
      try IssuingAuthority(certificate: authority.certificate, signer: PrivateKey(generating: .p256))
    }
  }

  @Test func `openssl reads our request`() throws {
    let key = try PrivateKey(generating: .p384)
    let request = try CertificationRequest.make(commonName: "J\u{fc}rgen's, laptop", signer: key)
    let text = try OpenSSLTool.run(
      ["req", "-inform", "DER", "-verify", "-noout", "-subject", "-nameopt", "utf8"], input: request)
    #expect(String(decoding: text, as: UTF8.self).contains("J\u{fc}rgen's, laptop"))
    #expect(try CertificationRequest(request).verified().publicKey == key.publicKey)
  }

  @Test(arguments: [
    (Int64(0), "700101000000Z"), (951_782_399, "000228235959Z"), (951_782_400, "000229000000Z"),
    (2_524_607_999, "491231235959Z"), (2_524_608_000, "20500101000000Z"), (4_107_542_399, "21000228235959Z"),
    (4_107_542_400, "21000301000000Z"), (-631_152_000, "500101000000Z"), (-631_152_001, "19491231235959Z"),
  ])
  func `times are written as RFC 5280 wants them`(seconds: Int64, text: String) {
    #expect(DER.time(seconds).dropFirst(2).elementsEqual(text.utf8))
  }
}

extension String {
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
