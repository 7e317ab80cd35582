import Cryptography
import Fixtures
import PKIX
import Testing

/// Requests of `openssl ocsp` are read, and it believes what we answer.
struct OCSPTests {
  private let folder: TemporaryFolder
  private let authority: IssuingAuthority
  private let responder: OCSPResponder
  private let issuer: OCSPIssuer
  private let anchor: String

  init() throws {
    folder = try TemporaryFolder()
    authority = try IssuingAuthority.root(
      RootProfile(commonName: "Answers", permittedURIHost: "acme.example"),
      signer: PrivateKey(generating: .p256),
      at: TestClock.now)
    let key = try PrivateKey(generating: .p256)
    responder = try OCSPResponder(
      certificate: authority.issueResponder(to: key.publicKey, lifetime: 86_400, at: TestClock.now),
      signer: key)
    issuer = try OCSPIssuer(authority.certificate)
    anchor = try folder.write(authority.certificate.pem, to: "ca.pem")
  }

  private func request(_ arguments: String...) throws -> [UInt8] {
    let file = "\(folder.path)/request.der"
    try OpenSSLTool.run(["ocsp", "-issuer", anchor] + arguments + ["-reqout", file])
    return try folder.read("request.der")
  }

  private func answer(_ request: OCSPRequest, _ statuses: OCSPStatus...) throws -> String {
    let answer = try responder.answer(
      request, with: statuses, thisUpdate: TestClock.now - 300, nextUpdate: TestClock.now + 3600,
      at: TestClock.now)
    return try folder.write(answer, to: "answer.der")
  }

  @Test(arguments: ["-sha1", "-sha256", "-sha384"], ["-nonce", "-no_nonce"])
  func `openssl believes every status`(_ digest: String, _ nonce: String) throws {
    let der = try request(
      nonce, digest, "-serial", "0x4001", digest, "-serial", "0x4002", digest, "-serial", "0x4003")
    let request = try #require(OCSPRequest(der: der))
    #expect(request.certificates.map(\.serialNumber.description) == ["4001", "4002", "4003"])
    #expect(request.certificates.allSatisfy(issuer.issued))
    #expect((request.nonce != nil) == (nonce == "-nonce"))
    let file = try answer(request, .good, .revoked(at: 1_700_000_000, reason: .keyCompromise), .notIssued)
    let result = try OpenSSLTool.attempt([
      "ocsp", "-issuer", anchor, nonce, digest, "-serial", "0x4001", digest, "-serial", "0x4002", digest,
      "-serial",
      "0x4003", "-no_nonce", "-reqin", "\(folder.path)/request.der", "-respin", file, "-CAfile", anchor,
    ])
    let text = String(decoding: result.output, as: UTF8.self)
    #expect(
      result.errors.contains("Response verify OK") && !result.errors.contains("WARNING"), "\(result.errors)")
    #expect(text.contains("0x4001: good"), "\(text)")
    #expect(text.contains("0x4002: revoked") && text.contains("Reason: keyCompromise"), "\(text)")
    #expect(text.contains("Revocation Time: Jan  1 00:00:00 1970 GMT"), "\(text)")
  }

  @Test func `another authority's certificate is not ours, by name or by key`() throws {
    let same = try IssuingAuthority.root(
      RootProfile(commonName: "Answers", permittedURIHost: "acme.example"),
      signer: PrivateKey(generating: .p256),
      at: TestClock.now)
    let request = try #require(OCSPRequest(der: try request("-serial", "1")))
    #expect(issuer.issued(request.certificates[0]))
    #expect(try !OCSPIssuer(same.certificate).issued(request.certificates[0]))
    #expect(
      String(
        decoding: try OpenSSLTool.run([
          "ocsp", "-respin", answer(request, .unknown), "-resp_text", "-noverify",
        ]), as: UTF8.self
      ).contains("Cert Status: unknown"))
  }

  @Test func `a responder's certificate can answer, and nothing else`() throws {
    let certificate = responder.certificate
    #expect(try certificate.extendedKeyUsage?.map(\.dotted) == ["1.3.6.1.5.5.7.3.9"])
    #expect(throws: PathFailure.self) {
      try PathValidator(anchor: authority.certificate).judge(certificate, at: TestClock.now)
    }
  }

  @Test(arguments: 0..<Mutation.allCases.count)
  func `what is malformed, too much or unknown and critical is no request`(_ index: Int) throws {
    #expect(OCSPRequest(der: Mutation.allCases[index].der) == nil)
  }

  @Test func `no prefix of a request, and no request with one bit turned, does harm`() throws {
    let der = try request("-nonce", "-serial", "0x4001")
    for length in der.indices { #expect(OCSPRequest(der: Array(der[..<length])) == nil) }
    for index in der.indices {
      for bit in 0..<8 {
        var damaged = der
        damaged[index] ^= 1 << UInt8(bit)
        if let request = OCSPRequest(der: damaged) { #expect(request.certificates.count == 1) }
      }
    }
  }

  @Test(arguments: [1, 16, 32, 128]) func `a nonce of every permitted length is kept`(_ length: Int) throws {
    let nonce = [UInt8](repeating: 9, count: length)
    #expect(
      OCSPRequest(der: Mutation.request(extensions: [Mutation.nonce(DER.octetString(nonce))]))?.nonce == nonce
    )
  }

  /// Faulty requests.
  private enum Mutation: CaseIterable {
    case empty, nothingAsked, tooMany, trailing, version2, emptyNonce, longNonce, bareNonce, twoNonces
    case unknownCritical, unknownCriticalSingle, noSerial, parameters, huge

    var der: [UInt8] {
      switch self {
      case .empty: []
      case .nothingAsked: Self.request(ids: [])
      case .tooMany: Self.request(ids: [[UInt8]](repeating: Self.id(), count: 17))
      case .trailing: Self.request() + [0]
      case .version2:
        DER.sequence(DER.sequence(DER.tagged(0, DER.integer(1)), DER.sequence(DER.sequence(Self.id()))))
      case .emptyNonce: Self.request(extensions: [Self.nonce(DER.octetString([]))])
      case .longNonce:
        Self.request(extensions: [Self.nonce(DER.octetString([UInt8](repeating: 1, count: 129)))])
      case .bareNonce: Self.request(extensions: [Self.nonce([1, 2, 3])])
      case .twoNonces:
        Self.request(extensions: [Self.nonce(DER.octetString([1])), Self.nonce(DER.octetString([1]))])
      case .unknownCritical:
        Self.request(extensions: [
          CertificateExtension(ObjectIdentifier("1.2.3"), isCritical: true, contents: [])
        ])
      case .unknownCriticalSingle:
        Self.request(ids: [
          Self.id()
            + DER.tagged(
              0,
              DER.sequence(
                CertificateExtension(ObjectIdentifier("1.2.3"), isCritical: true, contents: []).der))
        ])
      case .noSerial: Self.request(ids: [Self.id(serial: [])])
      case .parameters: Self.request(ids: [Self.id(parameters: DER.integer(1))])
      case .huge:
        Self.request(extensions: [
          CertificateExtension(ObjectIdentifier("1.2.3"), contents: [UInt8](repeating: 0, count: 11_000))
        ])
      }
    }

    static func nonce(_ contents: [UInt8]) -> CertificateExtension {
      CertificateExtension(ObjectIdentifier("1.3.6.1.5.5.7.48.1.2"), contents: contents)
    }

    static func id(serial: [UInt8] = [1], parameters: [UInt8] = DER.null) -> [UInt8] {
      DER.sequence(
        DER.sequence(DER.objectIdentifier(ObjectIdentifier("1.3.14.3.2.26")), parameters),
        DER.octetString([1]),
        DER.octetString([2]), DER.value(tag: 2, serial))
    }

    static func request(ids: [[UInt8]] = [id()], extensions: [CertificateExtension] = []) -> [UInt8] {
      DER.sequence(
        DER.sequence(
          DER.sequence(of: ids.map { DER.sequence($0) }),
          extensions.isEmpty ? [] : DER.tagged(2, DER.sequence(of: extensions.map(\.der)))))
    }
  }
}
