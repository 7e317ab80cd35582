import Cryptography
import Fixtures
import PKIX
import Testing

struct PathValidatorTests {
  static let now = TestClock.now

  func failure(_ body: () throws -> PathVerdict) -> PathFailure? {
    #expect(throws: PathFailure.self) { try body() }
  }

  @Test func `a leaf of the anchor is valid, from its first through its last second`() throws {
    let root = try TestAuthority.root()
    let leaf = try root.leaf().certificate
    let validator = try PathValidator(anchor: root.certificate)
    let path = try validator.judge(leaf, at: Self.now).path
    #expect(path.certificates == [leaf, root.certificate])
    #expect(path.notAfter == leaf.notAfter)
    #expect(try validator.judge(leaf, at: leaf.notBefore) == .valid(path))
    #expect(try validator.judge(leaf, at: leaf.notAfter) == .valid(path))
    #expect(try validator.judge(leaf, at: Self.now) == .valid(path))
  }

  @Test func `a leaf outside its time on a trusted path is told apart from one that is not trusted`() throws {
    let root = try TestAuthority.root { $0.notBefore = Self.now - 864_000 }
    let validator = try PathValidator(anchor: root.certificate)
    let expired = try root.leaf(with: .expired).certificate
    let early = try root.leaf(with: .notYetValid).certificate
    guard case .expired(let path) = try validator.judge(expired, at: Self.now) else {
      Issue.record("not expired")
      return
    }
    #expect(path.leaf == expired)
    guard case .notYetValid = try validator.judge(early, at: Self.now) else {
      Issue.record("not early")
      return
    }
    let stranger = try TestAuthority.root()
    #expect(failure { try validator.judge(stranger.leaf(with: .expired).certificate, at: Self.now) } != nil)
    // Expired and for the wrong purpose is the wrong purpose.
    let server = try root.leaf {
      $0.notAfter = Self.now - 60
      $0.extendedKeyUsage = [.serverAuth]
    }
    #expect(failure { try validator.judge(server.certificate, at: Self.now) }?.kind == .wrongPurpose)
  }

  @Test func `what an expired CA signed is not trusted, whatever the leaf's time`() throws {
    let root = try TestAuthority.root()
    let old = try root.intermediate { $0.notAfter = Self.now - 60 }
    let new = try root.intermediate { $0.notBefore = Self.now + 60 }
    let validator = try PathValidator(
      anchor: root.certificate, intermediates: [old.certificate, new.certificate])
    #expect(failure { try validator.judge(old.leaf().certificate, at: Self.now) }?.kind == .expired)
    #expect(
      failure { try validator.judge(old.leaf(with: .expired).certificate, at: Self.now) }?.kind == .expired)
    #expect(failure { try validator.judge(new.leaf().certificate, at: Self.now) }?.kind == .notYetValid)
    let dead = try TestAuthority.root { $0.notAfter = Self.now - 1 }
    let failure = failure {
      try PathValidator(anchor: dead.certificate).judge(dead.leaf().certificate, at: Self.now)
    }
    #expect(failure?.kind == .expired && failure?.role == .anchor)
  }

  @Test func `known intermediates complete a leaf sent alone, and an expired twin hides nothing`() throws {
    let root = try TestAuthority.root()
    let issuing = try root.intermediate("Issuing")
    let twin = try root.intermediate("Issuing", key: issuing.key) { $0.notAfter = Self.now - 60 }
    let leaf = try issuing.leaf().certificate
    let known = try PathValidator(
      anchor: root.certificate, intermediates: [twin.certificate, issuing.certificate])
    #expect(
      try known.judge(leaf, at: Self.now).path.certificates == [leaf, issuing.certificate, root.certificate])
    let bare = try PathValidator(anchor: root.certificate)
    #expect(failure { try bare.judge(leaf, at: Self.now) }?.kind == .unknownIssuer)
    #expect(
      try bare.judge(leaf, presented: [twin.certificate, issuing.certificate], at: Self.now).path.leaf == leaf
    )
    // The intermediate may be the anchor itself, and the root above it then means nothing.
    let partial = try PathValidator(anchor: issuing.certificate)
    #expect(
      try partial.judge(leaf, presented: [root.certificate], at: Self.now).path.certificates
        == [leaf, issuing.certificate])
  }

  @Test func `a CA of the same name and key identifier with another key is nobody`() throws {
    let root = try TestAuthority.root("Same Name")
    let identifier = try root.certificate.subjectKeyIdentifier
    let impostor = try TestAuthority.root("Same Name") { $0.subjectKeyIdentifier = identifier }
    let leaf = try impostor.leaf().certificate
    let validator = try PathValidator(anchor: root.certificate)
    let failure = failure { try validator.judge(leaf, presented: [impostor.certificate], at: Self.now) }
    #expect(failure?.kind == .badSignature)
    #expect(try PathValidator(anchor: impostor.certificate).judge(leaf, at: Self.now).path.leaf == leaf)
  }

  @Test(arguments: [
    (TestAuthority.Fault.serverAuthOnly, PathFailure.Kind.wrongPurpose), (.anyPurpose, .wrongPurpose),
    (.noPurpose, .wrongPurpose), (.emptyPurpose, .malformed), (.authorityAsLeaf, .forbidden),
    (.version1, .forbidden), (.serialZero, .forbidden), (.serialNegative, .forbidden),
    (.serialTooLong, .forbidden), (.unknownCriticalExtension, .forbidden), (.duplicateExtension, .malformed),
    (.nameConstraints, .forbidden), (.noDigitalSignature, .wrongPurpose),
  ])
  func `a leaf with one fault is refused for it`(fault: TestAuthority.Fault, kind: PathFailure.Kind) throws {
    let root = try TestAuthority.root()
    let validator = try PathValidator(anchor: root.certificate)
    let failure = failure { try validator.judge(root.leaf(with: fault).certificate, at: Self.now) }
    #expect(failure?.kind == kind, "\(failure?.description ?? "")")
  }

  @Test func `an authority may allow that the purpose is missing, and nothing more`() throws {
    let root = try TestAuthority.root()
    var policy = PathPolicy()
    policy.permitsMissingPurpose = true
    let validator = try PathValidator(anchor: root.certificate, policy: policy)
    _ = try validator.judge(root.leaf(with: .noPurpose).certificate, at: Self.now)
    for fault in [TestAuthority.Fault.serverAuthOnly, .anyPurpose, .emptyPurpose] {
      #expect(failure { try validator.judge(root.leaf(with: fault).certificate, at: Self.now) } != nil)
    }
  }

  @Test func `self-signed leaves and the anchor itself are refused`() throws {
    let root = try TestAuthority.root()
    let validator = try PathValidator(anchor: root.certificate)
    #expect(failure { try validator.judge(root.certificate, at: Self.now) } != nil)
    let alone = try TestAuthority.root("device") {
      $0.basicConstraints = BasicConstraints(isAuthority: false)
      $0.keyUsage = [.digitalSignature]
      $0.extendedKeyUsage = [.clientAuth]
    }
    #expect(failure { try validator.judge(alone.certificate, at: Self.now) }?.kind == .unknownIssuer)
  }

  @Test func `names outside the constraints of a CA are refused, wildcards over excluded names too`() throws {
    let host = "acme.usher.example"
    let root = try TestAuthority.root { $0.additionalExtensions = [.nameConstraints(permittedURIHost: host)] }
    let validator = try PathValidator(anchor: root.certificate)
    let mine = try root.leaf { $0.names = [.uri("spiffe://\(host)/laptop")] }
    _ = try validator.judge(mine.certificate, at: Self.now)
    for uri in [
      "spiffe://other.usher.example/x", "spiffe://x.\(host)/x", "spiffe://usher.example/x", "urn:x:y",
    ] {
      let leaf = try root.leaf { $0.names = [.uri(uri)] }
      #expect(failure { try validator.judge(leaf.certificate, at: Self.now) } != nil, "\(uri)")
    }
  }

  @Test func `what comes along is bounded`() throws {
    let root = try TestAuthority.root()
    let leaf = try root.leaf().certificate
    let other = try TestAuthority.root().certificate
    let validator = try PathValidator(anchor: root.certificate)
    _ = try validator.judge(leaf, presented: Array(repeating: other, count: 10), at: Self.now)
    #expect(
      failure { try validator.judge(leaf, presented: Array(repeating: other, count: 11), at: Self.now) }
        != nil)
    var issuer = root
    var chain: [Certificate] = []
    for level in 1...6 {
      issuer = try issuer.intermediate("Level \(level)")
      chain.append(issuer.certificate)
      let failure: PathFailure?
      do {
        _ = try validator.judge(issuer.leaf().certificate, presented: chain, at: Self.now)
        failure = nil
      } catch { failure = error as? PathFailure }
      #expect((failure == nil) == (level <= 5), "level \(level)")
    }
  }

  @Test func `what Usher issues, Usher accepts`() throws {
    let authority = try IssuingTests.root()
    let profile = LeafProfile(commonName: "x", uri: "spiffe://acme.usher.example/x", lifetime: 86_400)
    let leaf = try authority.issue(
      profile, to: IssuingTests.request(PrivateKey(generating: .p256)), at: Self.now)
    let validator = try PathValidator(anchor: authority.certificate)
    #expect(try validator.judge(leaf, at: Self.now) == .valid(validator.judge(leaf, at: Self.now).path))
    #expect(try AnchorCheck.warnings(on: authority.certificate, at: Self.now).isEmpty)
  }
}

extension PathValidatorTests {
  @Test(arguments: [
    ["-newkey", "rsa:1024"], ["-newkey", "rsa:2052"], ["-newkey", "rsa:2048", "-sha1"],
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime192v1"],
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:secp256k1"],
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-pkeyopt", "ec_param_enc:explicit"],
  ])
  func `weak keys and hashes are refused in an anchor's key or in a leaf's signature`(arguments: [String])
    throws
  {
    let folder = try TemporaryFolder()
    let root = try TestAuthority.root()
    let key = try folder.write(String(decoding: root.key.secretPEM(), as: UTF8.self), to: "ca.key")
    let certificate = try folder.write(root.certificate.pem, to: "ca.pem")
    let extensions = try folder.write("extendedKeyUsage=clientAuth\n", to: "extensions")
    let request = try folder.write(
      String(
        decoding: OpenSSLTool.run(
          ["req", "-new", "-nodes", "-keyout", "/dev/null", "-subj", "/CN=weak"] + arguments), as: UTF8.self),
      to: "request.pem")
    let digest = arguments.contains("-sha1") ? ["-sha1"] : []
    let leaf = try Certificate(
      pem: OpenSSLTool.run(
        ["x509", "-req", "-in", request, "-CA", certificate, "-CAkey", key, "-extfile", extensions] + digest))
    let validator = try PathValidator(anchor: root.certificate)
    let failure = failure { try validator.judge(leaf, at: leaf.notBefore) }
    #expect(failure?.kind == .forbidden && failure?.role == .leaf, "\(failure?.description ?? "")")
    if digest.isEmpty {
      let weak = try Certificate(
        pem: OpenSSLTool.run(
          ["req", "-x509", "-nodes", "-keyout", "/dev/null", "-subj", "/CN=weak root"] + arguments))
      let refusal = #expect(throws: PathFailure.self) { try PathValidator(anchor: weak) }
      #expect(refusal?.role == .anchor)
    }
  }

  @Test func `a certificate that plain openssl signed, without key identifiers, is accepted`() throws {
    let folder = try TemporaryFolder()
    let key = "\(folder.path)/ca.key"
    let root = try folder.write(
      String(
        decoding: OpenSSLTool.run([
          "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-subj", "/CN=Plain CA",
        ]), as: UTF8.self), to: "ca.pem")
    let request = try folder.write(
      String(decoding: CertificationRequestTests.request(), as: UTF8.self), to: "request.pem")
    let extensions = try folder.write(
      "extendedKeyUsage=clientAuth\nauthorityKeyIdentifier=none\nsubjectKeyIdentifier=none\n",
      to: "extensions")
    let leaf = try Certificate(
      pem: OpenSSLTool.run([
        "x509", "-req", "-in", request, "-CA", root, "-CAkey", key, "-extfile", extensions,
      ]))
    #expect(try leaf.authorityKeyIdentifier == nil)
    let anchor = try Certificate(pem: OpenSSLTool.run(["x509", "-in", root]))
    guard case .valid = try PathValidator(anchor: anchor).judge(leaf, at: leaf.notBefore) else {
      Issue.record("not valid")
      return
    }
  }

  @Test(arguments: ["bar.example.com", "a.bar.example.com", "example.com", "com"])
  func `a wildcard over an excluded name is refused, and beside it accepted`(excluded: String) throws {
    let base = DER.sequence(DER.implicit(2, Array(excluded.utf8)))
    let constraints = CertificateExtension(
      ObjectIdentifier("2.5.29.30"), isCritical: true, contents: DER.sequence(DER.tagged(1, base)))
    let root = try TestAuthority.root { $0.additionalExtensions = [constraints] }
    let validator = try PathValidator(anchor: root.certificate)
    let covered = try root.leaf { $0.names = [.dns("*.Example.com")] }.certificate
    #expect(failure { try validator.judge(covered, at: Self.now) } != nil)
    let beside = try root.leaf { $0.names = [.dns("*.other.example.org")] }.certificate
    _ = try validator.judge(beside, at: Self.now)
  }

  @Test(arguments: [
    GeneralName.dns("a b"), .dns("a\0.example.com"), .dns(""), .dns("*"), .dns("f*.example.com"),
    .dns("1.2.3.4"),
    .dns("\u{e4}.example"), .uri("no scheme"), .uri("spiffe://a\n/b"), .uri(""), .uri("spiffe://a/\0"),
    .email([UInt8]("a@b@c".utf8)), .email([UInt8]("nobody".utf8)), .ip([1, 2, 3]), .ip([]),
  ])
  func `names that are no names of their kind are refused`(name: GeneralName) throws {
    let root = try TestAuthority.root()
    let leaf = try root.leaf { $0.names = [name] }.certificate
    let validator = try PathValidator(anchor: root.certificate)
    #expect(failure { try validator.judge(leaf, at: Self.now) }?.kind == .malformed)
  }

  @Test func `a flipped bit in a signature is a bad signature`() throws {
    let root = try TestAuthority.root()
    var der = try root.leaf().certificate.der
    der[der.count - 3] ^= 1
    let validator = try PathValidator(anchor: root.certificate)
    #expect(failure { try validator.judge(Certificate(der: der), at: Self.now) }?.kind == .badSignature)
  }
}
