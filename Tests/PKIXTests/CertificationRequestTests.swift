import Cryptography
import Fixtures
import PKIX
import Testing

struct CertificationRequestTests {
  /// A request by `openssl req` in PEM.
  static func request(_ key: [String] = p256, _ rest: [String] = []) throws -> [UInt8] {
    try OpenSSLTool.run(
      ["req", "-new", "-nodes", "-keyout", "/dev/null", "-subj", "/CN=laptop"] + key + rest)
  }

  static let p256 = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]

  @Test(arguments: [
    p256, ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384", "-sha384"], ["-newkey", "rsa:2048"],
    ["-newkey", "rsa:3072", "-sha512"],
    ["-newkey", "rsa:2048", "-sigopt", "rsa_padding_mode:pss", "-sha256"],
  ])
  func `a request by openssl is verified, and only its key and name are taken`(key: [String]) throws {
    let body = try Self.request(key, ["-addext", "subjectAltName=DNS:evil.example"])
    let verified = try CertificationRequest(body).verified()
    #expect(verified.commonName == "laptop")
    #expect(verified.subject.description == "CN=laptop")
    #expect(verified.requestedExtensions == [ObjectIdentifier("2.5.29.17")])
    #expect(KeyPolicy.objection(to: verified.publicKey) == nil)
  }

  @Test func `PEM, DER and base64 are the same request, with BOM, CRLF, the NEW label and a preamble`() throws
  {
    let pem = try Self.request()
    let reference = try CertificationRequest(pem)
    let text = String(decoding: pem, as: UTF8.self)
    let base64 = Base64.encode(reference.der)
    let spellings: [[UInt8]] = [
      reference.der,
      Array(base64.utf8),
      Array("\n \(base64.prefix(70))\r\n\(base64.dropFirst(70))\n".utf8),
      [0xef, 0xbb, 0xbf] + pem,
      Array(text.replacing("\n", with: "\r\n").utf8),
      Array(text.replacing("CERTIFICATE REQUEST", with: "NEW CERTIFICATE REQUEST").utf8),
      Array("Certificate Request:\n  Data:\n\(text)\n\t \r\n".utf8),
    ]
    for body in spellings {
      let request = try CertificationRequest(body)
      #expect(request.der == reference.der)
      _ = try request.verified()
    }
  }

  @Test func `what is no single request is refused with the reason`() throws {
    let pem = try Self.request()
    let text = String(decoding: pem, as: UTF8.self)
    let der = try CertificationRequest(pem).der
    let utf16: [UInt8] = [0xff, 0xfe] + text.utf8.flatMap { [$0, 0] as [UInt8] }
    let cases: [(body: [UInt8], reason: String)] = [
      ([], "empty"), (Array(" \r\n".utf8), "empty"), (Array("hello!".utf8), "neither PEM nor DER nor base64"),
      (pem + pem, "more than one"), (pem + Array("junk".utf8), "after the END line"),
      (der + [0], "left over"), (Array(Base64.encode(der + [0x0a]).utf8), "left over"),
      (utf16, "UTF-16"), (Array(utf16.dropFirst(2)), "UTF-16"), ([0] + utf16.dropFirst(2), "UTF-16"),
      (Array(String(repeating: "x", count: 4097).utf8) + pem, "before the BEGIN"),
      ([UInt8](repeating: 0x41, count: 65537), "longer than"),
      (Array(text.replacing("CERTIFICATE REQUEST", with: "CERTIFICATE").utf8), "not a CERTIFICATE REQUEST"),
      (Array(text.replacing("CERTIFICATE REQUEST", with: "EC PRIVATE KEY").utf8), "private key"),
      (Array(text.prefix(100).utf8), "no END line"),
      (Array(text.replacing("-----END CERTIFICATE REQUEST", with: "-----END X").utf8), "ends as"),
    ]
    for (body, reason) in cases {
      let error = #expect(throws: RequestError.self, "\(reason)") { try CertificationRequest(body) }
      #expect(error?.description.contains(reason) == true, "\(reason): \(error?.description ?? "")")
    }
  }

  @Test(arguments: [
    ("ec_paramgen_curve:P-521", "P-521"), ("ec_paramgen_curve:secp256k1", "named curve"),
    ("ec_paramgen_curve:P-224", "named curve"), ("ec_paramgen_curve:prime192v1", "named curve"),
  ])
  func `other curves are refused`(curve: String, reason: String) throws {
    let body = try Self.request(["-newkey", "ec", "-pkeyopt", curve])
    let error = #expect(throws: RequestError.self) { try CertificationRequest(body).verified() }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    (["-newkey", "rsa:1024"], "1024 bits"), (["-newkey", "rsa:2047"], "2047 bits"),
    (["-newkey", "rsa:2052"], "multiple of 8"),
    (["-newkey", "rsa:2048", "-pkeyopt", "rsa_keygen_pubexp:3"], "65537"),
    (["-newkey", "ed25519"], "Ed25519"),
    (p256 + ["-pkeyopt", "ec_param_enc:explicit"], "named curve"),
    (p256 + ["-sha1"], "SHA1"), (["-newkey", "rsa:2048", "-md5"], "md5"),
    (["-newkey", "rsa:2048", "-sha1"], "sha1"),
    (p256 + ["-sha224"], "SHA224"),
    (["-newkey", "rsa:2048", "-sha1", "-sigopt", "rsa_padding_mode:pss"], "PSS"),
  ])
  func `keys and hashes that are too weak are refused`(arguments: [String], reason: String) throws {
    let body = try Self.request(arguments)
    let error = #expect(throws: RequestError.self) { try CertificationRequest(body).verified() }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    ("basicConstraints=CA:TRUE", "CA:TRUE"), ("keyUsage=digitalSignature,keyCertSign", "keyCertSign"),
    ("extendedKeyUsage=clientAuth,anyExtendedKeyUsage", "anyExtendedKeyUsage"),
    ("basicConstraints=DER:30030101", "cannot be read"),
  ])
  func `a request for the powers of a CA is refused`(wish: String, reason: String) throws {
    let body = try Self.request(Self.p256, ["-addext", wish])
    let error = #expect(throws: RequestError.self) { try CertificationRequest(body).verified() }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test func `harmless wishes are ignored`() throws {
    let body = try Self.request(
      Self.p256,
      [
        "-addext", "basicConstraints=CA:FALSE", "-addext", "keyUsage=digitalSignature",
        "-addext", "extendedKeyUsage=serverAuth", "-addext", "1.2.3.4=critical,ASN1:NULL",
      ])
    #expect(try CertificationRequest(body).verified().requestedExtensions.count == 4)
  }

  @Test func `an RSA key whose primes are neighbours is refused`() throws {
    let error = #expect(throws: RequestError.self) {
      try CertificationRequest(Array(Self.closeFactors.utf8)).verified()
    }
    #expect(error?.description.contains("close together") == true, "\(error?.description ?? "")")
  }

  @Test func `the signature is judged before the key`() throws {
    for key in [["-newkey", "rsa:1024"], ["-newkey", "rsa:2048", "-pkeyopt", "rsa_keygen_pubexp:3"]] {
      var der = try CertificationRequest(Self.request(key)).der
      der[der.count - 1] ^= 1
      #expect(throws: RequestError.signatureInvalid) { try CertificationRequest(der).verified() }
    }
  }

  @Test func `a request whose signature or key was touched proves nothing`() throws {
    var der = try CertificationRequest(Self.request()).der
    der[der.count - 1] ^= 1
    #expect(throws: RequestError.signatureInvalid) { try CertificationRequest(der).verified() }

    let (first, second) = (try CertificationRequest(Self.request()), try CertificationRequest(Self.request()))
    let mine = try first.verified().publicKey.subjectPublicKeyInfo
    let theirs = try second.verified().publicKey.subjectPublicKeyInfo
    let start = try #require(first.der.indices.first { first.der[$0...].starts(with: mine) })
    var stolen = first.der
    stolen.replaceSubrange(start..<start + mine.count, with: theirs)
    #expect(throws: RequestError.signatureInvalid) { try CertificationRequest(stolen).verified() }
  }

  /// Of 2048 bits, its second prime the next after its first (CVE-2022-26320).
  static let closeFactors = """
    -----BEGIN CERTIFICATE REQUEST-----
    MIICVjCCAT4CAQAwETEPMA0GA1UEAwwGbGFwdG9wMIIBIjANBgkqhkiG9w0BAQEF
    AAOCAQ8AMIIBCgKCAQEAuH+Q7Gcpqa2ChERWO0ncKcqFBeY3UopL1KWQ/aFkitgh
    0Ho31d/bPoGcbjWJveZ432hpygntJsIW0NTmPqfglAgEfrEX16N3doYNXKZL+JVC
    Gv4Iy2xBliuSUnYrvMDcxdF5WN+eJVUuGxMQWVtPLXD4Zl0a78L63BasQ1QTQzPg
    7pPO619jGDcF5l5YuykL4Ms8OUNO9Akdq9U9FMyMkT+cEXX5YPlBiVCfgLMteKCB
    /5PaUGITi6qkU+Y3NsIE7hbumH2ONo/Bh5z7M1YefejWeR3BCS/2Pj1DCeCxE4pw
    2yjmRuLUNpWNErsTfQehlJMe+zhzpnqtpCT4R+4moQIDAQABoAAwDQYJKoZIhvcN
    AQELBQADggEBAFLOV77IR7KznYewOXvHbCynQyHPhNfucS43jd+0ILfEnqieaObF
    c6LIoRqewZuUdkW7prhOZjs1mTpnvsWz3qZTp7LXBck14zlNEkekGMToSc4PWOs2
    jh5GV654LTjjUAfnKLb6aggw8H7bWqtKzkRFtX6qbp0H4lQWiIMl6+RN3t5fwWti
    GlLdMB5CnWTOQVqBbuSt/0h6bxjyuYfk0osHu3oVdk/MQCNuP+UuEp31TR3XZRQY
    WGLrEa3xaSfy7gzgOtc1/renZyjgg5c5I/HimGgoY4MVNG9wO9C/YK42GuAaW/lO
    ebgmQE+b5Q13Saqz99yhLh15HYybggpJfIg=
    -----END CERTIFICATE REQUEST-----
    """
}
